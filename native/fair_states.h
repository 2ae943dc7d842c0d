// Fair runs from each state, for branching time logic under assumptions. asset/engine/fair_states.py is the
// specification.
#pragma once

#include "acceptor.h"
#include "components.h"
#include "lasso.h"

namespace asset {

// What is assumed is an automaton with one mode: each of its acceptance sets is visited again and again, and runs are
// fair.
class FairStates {
  public:
    // The graph was read without a fault.
    FairStates(const Space &space, const Graph &graph, ReadGraph &read)
        : acceptor_(space, read), product_(graph, acceptor_, space.budget, space.interrupted) {}

    // Whether anything is assumed.
    static bool assumes(const AutomatonData &automaton) {
        return automaton.acceptance || !automaton.weak.empty() || !automaton.strong.empty();
    }

    // Adds the states of the parts of these states in which there are fair runs.
    void find(const Bits &among, Bits &fair) const;

    // A fair run from the state through these: a shortest way to such a part, and a cycle there.
    Lasso run_through(const Bits &among, Id start) const;

  private:
    using Vertex = asset::Vertex<false>;
    using Vertices = VertexSet<false>;
    using Graphs = Product<Acceptor>;

    // Splits what is alive into components; those that are fair are added, and what may be fair in part is left.
    void refine(Vertices &alive, Bits &fair) const;
    Marks inside(std::span<const Vertex> members, const Vertices &alive, const Components<Graphs> &components,
                 bool &cyclic) const;
    std::uint64_t enabled(const Vertex &vertex) const {
        return acceptor_.enabled(product_.graph().first_edge(vertex.state));
    }

    const Acceptor acceptor_;
    const Graphs product_;
};

} // namespace asset

// Whether a run of the state space is accepted by an automaton, and a short lasso if one is.
#pragma once

#include "acceptor.h"
#include "components.h"

namespace asset {

// Fair runs that violate a formula: those that the automaton of its negation accepts. It has few enough modes for sets
// of them to be words (Acceptor::most_modes).
class TemporalCheck {
  public:
    TemporalCheck(const Space &space, const Graph &graph, ReadGraph &read, std::int32_t requirement)
        : read_(read), acceptor_(space, read), product_(graph, acceptor_, space.budget, space.interrupted),
          requirement_(requirement), accepting_(product_.nothing()) {}

    // The first violation, breadth-first, and how it goes on.
    std::optional<Lost> first_lost();

  private:
    using Vertex = asset::Vertex<false>;
    using Vertices = VertexSet<false>;
    using Graphs = Product<Acceptor>;

    // Finds the vertices of components whose cycles are accepted. Components of which a strong condition is enabled but
    // never taken lose the vertices in which it is enabled, and what is left is searched again. False if no run is
    // accepted.
    bool find_accepting();
    bool refine(Vertices &alive, Components<Graphs> &components);

    // What the edges inside the component of these vertices have. `cyclic` says whether there are any.
    Marks inside(std::span<const Vertex> members, const Vertices &alive, const Components<Graphs> &components,
                 bool &cyclic) const;

    // A short cycle that has all that it must have; the vertex is in an accepting component.
    Lasso cycle_through(const Vertex &start) const;

    std::uint64_t enabled(const Vertex &vertex) const {
        return acceptor_.enabled(product_.graph().first_edge(vertex.state));
    }
    std::vector<Vertex> starts() const;

    const ReadGraph &read_;
    const Acceptor acceptor_;
    const Graphs product_;
    const std::int32_t requirement_;
    Vertices accepting_; // in an accepting component
    std::optional<Components<Graphs>> components_;
};

// The first violation of a formula by a fair run, if there is one, or a model error in an observation.
std::optional<Lost> violation(const Space &space, const Graph &graph, ReadGraph &read, const GraphRequirement &required,
                              bool lassos);

} // namespace asset

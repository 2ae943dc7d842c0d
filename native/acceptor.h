// An automaton that reads the runs of an explored state space: a product with it has the runs that it accepts.
//
// It accepts if its way through visits each of its acceptance sets infinitely often. Fairness is read from the letters
// too, so that it costs no vertices. asset/engine/temporal.py is the specification.
#pragma once

#include "product.h"
#include "read_graph.h"

namespace asset {

class Acceptor {
  public:
    static constexpr bool single = false;
    static constexpr std::uint32_t most_modes = 64; // sets of them are words

    // The graph was read without a fault, and the automaton has at most so many modes. Every edge is given its letter.
    Acceptor(const Space &space, ReadGraph &graph);

    Modes after(Edge edge, unsigned mode) const { return after_[std::size_t{graph_.letter(edge)} * modes_ + mode]; }

    // The modes from which it goes to one of these.
    Modes before(Edge edge, Modes modes) const {
        Modes result = 0;
        for (unsigned mode = 0; mode < modes_; ++mode)
            result |= Modes{(after(edge, mode) & modes) != 0} << mode;
        return result;
    }

    Marks marks(Edge edge, unsigned from, unsigned to) const;

    // The strong conditions that are enabled in the state that the edge leaves.
    std::uint64_t enabled(Edge edge) const { return letters_.fairness(graph_.letter(edge)).enabled; }

    // The modes that are in components of the automaton with all acceptance sets: only there a cycle can be accepted.
    Modes promising() const { return promising_; }

    // Whether a run that comes to one of these vertices and stays in its terminal state is accepted.
    bool accepts_end_of(const VertexSet<false> &vertices) const {
        for (Id id = vertices.next(0); id < vertices.states(); id = vertices.next(id + 1))
            if (vertices[id] & accepted_at_end(id))
                return true;
        return false;
    }

    // Whether it accepts the run that stays in a terminal state for ever.
    bool accepts_end(const Vertex<false> &vertex) const { return accepted_at_end(vertex.state) & vertex.as_set(); }

    // All that a cycle must have, whatever is enabled.
    const Marks &wanted() const { return letters_.wanted(); }

  private:
    // The modes from which staying in the state for ever is accepted; none if it is not terminal.
    Modes accepted_at_end(Id state) const {
        const std::optional<std::uint32_t> letter = graph_.letter_of_staying(state);
        return letter ? for_ever_[letters_.class_of(*letter)] : 0;
    }

    // The modes that have this prospect at least, if these are all that the automaton does.
    Modes those_with(Prospect least, std::span<const Arrow> arrows) const;

    const ReadGraph &graph_;
    const Letters &letters_;
    const unsigned modes_;
    Modes promising_ = 0;
    std::vector<Modes> after_;    // for each letter and mode, the modes that come next
    std::vector<Modes> for_ever_; // for each class of letters, the modes from which a run of nothing else is accepted
};

} // namespace asset

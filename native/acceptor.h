// An automaton that reads the runs of an explored state space: a product with it has the runs that it accepts.
//
// In each step of a run it reads a letter: which of the observations hold of the state and of the step. It accepts if
// its way through visits each of its acceptance sets infinitely often. Fairness is read from the letters too, so that
// it costs no vertices. asset/engine/temporal.py is the specification.
#pragma once

#include <unordered_map>

#include "product.h"
#include "progress.h"

namespace asset {

// What a component or a cycle has, or must have: acceptance sets, weak fairness, strong fairness.
struct Marks {
    std::uint64_t accepting = 0;
    std::uint64_t weak = 0;    // the conditions that are met: a command is fired, or none is enabled
    std::uint64_t enabled = 0; // the strong conditions of which a command is enabled
    std::uint64_t taken = 0;   // and fired

    Marks &operator|=(const Marks &other) {
        accepting |= other.accepting;
        weak |= other.weak;
        enabled |= other.enabled;
        taken |= other.taken;
        return *this;
    }
    Marks &operator-=(const Marks &other) {
        accepting &= ~other.accepting;
        weak &= ~other.weak;
        enabled &= ~other.enabled;
        taken &= ~other.taken;
        return *this;
    }

    // Of what a cycle lacks: whether there is anything, and whether these have some of it.
    bool any() const { return accepting | weak | taken; }
    bool meets(const Marks &other) const {
        return accepting & other.accepting || weak & other.weak || taken & other.taken;
    }
};

class Acceptor {
  public:
    static constexpr bool single = false;

    // Reads every edge of the graph. Throws Interrupted.
    Acceptor(const Space &space, const Graph &graph, const GraphRequirement &required);

    // If evaluating an observation is a model error: the first state in which it is, and the finding.
    const std::optional<Lost> &faulty() const { return faulty_; }

    // The states that the search started in, each with the initial mode.
    std::span<const Vertex<false>> starts() const { return starts_; }

    Modes after(Edge edge, unsigned mode) const { return after_[std::size_t{of_edges_[edge]} * modes_ + mode]; }

    // The modes from which it goes to one of these.
    Modes before(Edge edge, Modes modes) const {
        Modes result = 0;
        for (unsigned mode = 0; mode < modes_; ++mode)
            result |= Modes{(after(edge, mode) & modes) != 0} << mode;
        return result;
    }

    Marks marks(Edge edge, unsigned from, unsigned to) const;

    // The strong conditions that are enabled in the state that the edge leaves.
    std::uint64_t enabled(Edge edge) const { return letters_[of_edges_[edge]].fairness.enabled; }

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
    const Marks &wanted() const { return wanted_; }

  private:
    // What is read: the number of the observations, and what it means for fairness.
    struct Letter {
        std::uint32_t atoms;
        Marks fairness; // without acceptance sets
    };

    // All letters with the same observations.
    struct Class {
        std::vector<const Move *> moves{};
        Modes for_ever = 0; // the modes from which a run of nothing but these letters is accepted
    };

    // The observations of a step, and what fairness has to say of it.
    struct Reading {
        std::uint64_t atoms = 0;
        std::uint64_t weak = 0, enabled = 0, taken = 0;
        bool operator==(const Reading &) const = default;
    };
    struct ReadingHash {
        std::size_t operator()(const Reading &reading) const;
    };

    // For each command, what firing it says.
    struct OfCommand {
        std::uint64_t enabled_atoms = 0, taken_atoms = 0, weak = 0, strong = 0;
    };

    // The modes from which staying in the state for ever is accepted; none if it is not terminal.
    Modes accepted_at_end(Id state) const {
        const std::uint32_t letter = of_ends_[state];
        return letter ? classes_[letters_[letter - 1].atoms].for_ever : 0;
    }

    struct Place {
        const Space &space;
        const Graph &graph;
        Id state;
    };

    void know_commands();
    void find_starts(const Space &space);
    void read(const Space &space, const Graph &graph);
    void read_state(const Place &place, std::uint64_t atoms, std::span<const std::uint32_t> fired);
    OfCommand enabled_in(const Place &place, std::span<const std::uint32_t> fired) const;
    void read_steps(const Place &place, const Reading &here, std::span<const std::uint32_t> fired);
    std::uint64_t step_atoms(const Place &place, Id target, std::int64_t command);
    std::uint32_t number(const Reading &reading);
    std::uint32_t class_of(std::uint64_t atoms);

    // The modes on cycles of these moves that have all acceptance sets, and those that lead there if they are wanted.
    Modes accepting(std::span<const Move *const> moves, bool leading) const;

    const AutomatonData &automaton_;
    const GraphRequirement &required_;
    const unsigned modes_;
    const bool commands_matter_;
    const bool steps_matter_;
    Marks wanted_{};
    std::vector<OfCommand> of_commands_;
    Modes promising_ = 0;
    std::vector<Modes> after_;         // for each letter and mode, the modes that come next
    Sequence<std::uint32_t> of_edges_; // the number of each edge's letter
    Region ends_region_;
    std::uint32_t *of_ends_; // of each terminal state, one more than the number of its letter; else 0
    std::vector<Letter> letters_;
    std::vector<Class> classes_;
    std::unordered_map<Reading, std::uint32_t, ReadingHash> numbers_;
    std::unordered_map<std::uint64_t, std::uint32_t> class_numbers_;
    std::optional<Reading> last_reading_; // neighbours are often alike
    std::uint32_t last_number_ = 0;
    std::vector<Vertex<false>> starts_;
    std::optional<Lost> faulty_;
};

} // namespace asset

// What an automaton reads of runs: in each step a letter, which says what of the observations holds of the state and
// of the step, and what the step means for fairness. asset/engine/temporal.py is the specification.
//
// Letters are numbered as they are met. Those with the same observations are a class, for which the automaton's moves
// are found once.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>

#include "annotated_graph.h"
#include "predicates.h"
#include "progress.h"

namespace asset {

// What a component or a cycle has, or must have: acceptance sets, weak fairness, strong fairness.
struct Marks {
    std::uint64_t accepting = 0;
    std::uint64_t weak = 0;    // the conditions that are met: a command is fired, or none is enabled
    std::uint64_t enabled = 0; // the strong conditions of which a command is enabled
    std::uint64_t taken = 0;   // and fired

    bool operator==(const Marks &) const = default;
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

    // The strong conditions that are enabled and never fired.
    std::uint64_t denied() const { return enabled & ~taken; }
};

// The same if nothing is asked of fairness. Searches have many of them.
struct Acceptance {
    std::uint64_t accepting = 0;

    Acceptance &operator|=(const Acceptance &other) {
        accepting |= other.accepting;
        return *this;
    }
    Acceptance &operator-=(const Acceptance &other) {
        accepting &= ~other.accepting;
        return *this;
    }
    bool any() const { return accepting; }
    std::uint64_t denied() const { return 0; }
};

// The edges of a state with their letters; in a terminal state, that of staying there. `first` is the number of the
// first one among all.
struct ReadEdges {
    Edge first;
    std::uint32_t count;
    const Id *targets;
    const std::uint32_t *letters; // of each edge, or one for all
    bool differ;

    Id target(std::uint32_t edge) const { return targets[edge]; }
    std::uint32_t letter(std::uint32_t edge) const { return letters[differ ? edge : 0]; }
};

class Letters {
  public:
    // What the automaton does under a letter: the mode that it goes to, and the acceptance sets that it visits.
    struct Step {
        std::uint32_t target;
        std::uint64_t marks;
        bool operator==(const Step &) const = default;
    };

    // Evaluating an observation is a model error.
    struct Unreadable {
        Id state;
        Finding finding; // without a path
    };

    Letters(const Space &space, const GraphRequirement &required);

    // Whether the edges of a state may have different letters. Then commands must be fired to read them.
    bool differ() const { return of_commands_matter_; }

    std::uint32_t modes() const { return automaton_.modes; }
    std::uint32_t initial() const { return automaton_.initial; }

    // Whether a cycle through the mode may be accepted.
    bool promising(std::uint32_t mode) const { return promising_[mode]; }

    // Whether the automaton begins in a mode that is not promising, in which it may stay under every letter, and that
    // it does not come back to.
    bool waits() const { return waits_; }

    // All that a cycle must have, whatever is enabled.
    const Marks &wanted() const { return wanted_; }

    // Reads states that lie one after the other, in which commands were just fired (space.successors) if letters may
    // differ; `degree` says how many edges each of them has. Calls use(state, letter): for each edge in their order, if
    // letters may differ, else once for each state. In a terminal state the letter is that of staying there.
    template <class Degree, class Use>
    std::optional<Unreadable> read(Range sources, const Degree &degree, const Use &use) {
        unreadable_.reset();
        if (const std::optional<asset_fault> fault = evaluate(sources))
            return Unreadable{sources.first + static_cast<Id>(fault->state),
                              {.during = During::predicate, .predicate = fault->number}};
        Successors &successors = space_.successors;
        const std::uint32_t *commands = differ() ? successors.commands(successors.edges()) : nullptr;
        std::size_t edge = 0;
        for (Id i = 0; i < sources.count && !unreadable_; ++i) {
            const Id state = sources.first + i;
            if (!differ()) {
                use(state, letter_of_state(state, i));
                continue;
            }
            const std::size_t edges = degree(state);
            look_at(state, i, {commands + edge, edges});
            if (edges == 0)
                use(state, letter_of_staying(state));
            else
                for (std::size_t end = edge + edges; edge < end; ++edge)
                    use(state, letter_of_step(state, commands[edge], successors.successor(edge)));
        }
        return unreadable_;
    }

    // As above for one vertex of a graph that is annotated; these commands were fired in its state.
    template <class Use>
    std::optional<Unreadable> read(const AnnotatedGraph &graph, Id vertex, std::span<const std::uint32_t> fired,
                                   std::span<const std::uint32_t> enabled, const Use &use) {
        unreadable_.reset();
        look_at(graph, vertex, enabled);
        if (!differ() || fired.empty())
            use(vertex, letter_of_staying(vertex));
        else
            for (const std::uint32_t command : fired)
                use(vertex, letter_of_step(vertex, graph.fired(vertex, command), nullptr));
        return unreadable_;
    }

    // What the automaton may do in a mode under a letter, or under the letters of a class.
    std::span<const Step> steps(std::uint32_t letter, std::uint32_t mode) const {
        return steps_of_class(class_of(letter), mode);
    }
    std::span<const Step> steps_of_class(std::uint32_t of_class, std::uint32_t mode) const {
        const std::uint32_t *first = &rows_[std::size_t{of_class} * (modes() + 1) + mode];
        return {steps_.data() + first[0], steps_.data() + first[1]};
    }

    // Steps are known by numbers too.
    std::uint32_t number_of(const Step &step) const { return static_cast<std::uint32_t>(&step - steps_.data()); }
    const Step &step(std::uint32_t number) const { return steps_[number]; }

    // Whether anything is asked of fairness, and what the letter means for it; there are no acceptance sets among these
    // marks.
    bool fair() const { return !automaton_.weak.empty() || !automaton_.strong.empty(); }
    const Marks &fairness(std::uint32_t letter) const { return letters_[letter].fairness; }

    std::uint32_t class_of(std::uint32_t letter) const { return letters_[letter].of_class; }
    std::size_t size() const { return letters_.size(); }
    std::size_t classes() const { return class_numbers_.size(); }

  private:
    using Atoms = std::vector<std::uint64_t>; // a bit for each observation

    struct AtomsHash {
        std::size_t operator()(const Atoms &atoms) const;
    };

    struct Letter {
        std::uint32_t of_class;
        Marks fairness;
        bool operator==(const Letter &) const = default;
    };
    struct LetterHash {
        std::size_t operator()(const Letter &letter) const;
    };

    // What a command says: the observations of being enabled and of being fired, and the fairness that it belongs to.
    struct OfCommand {
        Atoms enabled, taken;
        std::uint64_t weak = 0, strong = 0;
    };

    void know_commands();
    std::optional<asset_fault> evaluate(Range sources);

    // Notes what holds of a state, of which commands were fired.
    void look_at(Id state, std::size_t position, std::span<const std::uint32_t> fired);
    void look_at(const AnnotatedGraph &graph, Id vertex, std::span<const std::uint32_t> enabled);
    void look_at_enabled(std::uint32_t command);

    // If letters do not differ, they depend on the predicates that hold alone.
    std::uint32_t letter_of_state(Id state, std::size_t position);
    std::uint32_t letter_of_staying(Id state);
    std::uint32_t letter_of_step(Id state, std::uint32_t command, const Word *after);
    void look_at_step(Id state, std::int64_t command, const Word *after);

    // Remembers, of the state that was looked at, which letters its steps have: that depends on what holds there, on
    // the fairness of what is enabled, and on the command.
    void recall_letters();
    std::uint32_t *known_letter(std::uint32_t command);

    // The number of the letter that has the observations `read_`.
    std::uint32_t number(const Marks &fairness);
    std::uint32_t number_of_class();
    void find_steps();

    const Space &space_;
    const GraphRequirement &required_;
    const AutomatonData &automaton_;
    const bool of_steps_matter_;
    const bool of_commands_matter_;
    Predicates predicates_;
    Marks wanted_{};
    std::vector<bool> promising_; // for each mode
    bool waits_;
    std::vector<OfCommand> of_commands_;

    Atoms here_, read_;                   // the observations that hold of a state, and of a step besides
    std::uint64_t weak_ = 0, strong_ = 0; // the conditions of which a command is enabled in the state
    std::optional<Unreadable> unreadable_;

    // States of which the same is observed are a part. For each part and command, one more than the letter; 0 if it is
    // not known.
    std::unordered_map<Atoms, std::uint32_t, AtomsHash> parts_;
    std::vector<std::uint32_t> letters_of_parts_;
    std::uint32_t part_ = 0;
    Atoms observed_, last_observed_;

    // Of some words of predicates that hold, one more than the letter; 0 if it is not known.
    struct Known {
        std::uint64_t truths;
        std::uint32_t letter;
    };
    static constexpr std::size_t most_words_known = 6; // as a power of two
    std::array<Known, std::size_t{1} << most_words_known> known_{};

    std::vector<Letter> letters_;
    std::vector<std::uint32_t>
        rows_; // for each class and mode, where its steps begin; and where those of the class end
    std::vector<Step> steps_;
    std::unordered_map<Letter, std::uint32_t, LetterHash> numbers_;
    std::unordered_map<Atoms, std::uint32_t, AtomsHash> class_numbers_;
    std::uint32_t last_letter_ = 0, last_class_ = 0; // neighbours are often alike
    Atoms last_read_;
};

} // namespace asset

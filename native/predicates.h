// Predicates of states, evaluated for many states at once.
#pragma once

#include <optional>
#include <span>

#include "arena.h"
#include "search.h"

namespace asset {

// Some of the model's predicates. Each thread has its own.
class Predicates {
  public:
    Predicates(const asset_model &model, std::span<const std::uint32_t> wanted);

    // These instead.
    void want(std::span<const std::uint32_t> wanted);

    // Evaluates all of them in each of the states, which lie one after the other, as far as the first fault.
    std::optional<asset_fault> evaluate(const Word *states, std::size_t count);

    // In a state of those evaluated last.
    bool holds(std::size_t state, std::uint32_t predicate) const {
        return truths_[state * words_ + predicate / 64] >> predicate % 64 & 1;
    }
    // The same of all that are wanted, a bit for each, if these are in one word.
    bool in_one_word() const { return words_ == 1; }
    std::uint64_t truths(std::size_t state) const { return truths_[state]; }
    bool all_hold(std::size_t state) const {
        std::uint64_t violated = 0;
        for (std::size_t i = 0; i < words_; ++i)
            violated |= wanted_[i] & ~truths_[state * words_ + i];
        return !violated;
    }

  private:
    const asset_model &model_;
    const std::size_t words_;           // for the bits of all predicates of one state
    std::vector<std::uint64_t> wanted_; // a bit for each predicate
    std::vector<std::uint64_t> truths_; // for each state, a bit for each predicate that is wanted
};

// What is required of single states, in the order of the requirements. Each thread has its own.
class StateRequirements {
  public:
    struct Violation {
        std::size_t state;
        Finding finding; // without a path
    };

    StateRequirements(const asset_model &model, std::span<const StateRequirement> required);

    bool empty() const { return required_.empty(); }

    // The requirement is not asked any more.
    void leave_out(std::int32_t requirement);

    // The first of these states, which lie one after the other, that violates a requirement or where evaluating its
    // predicate is a model error.
    std::optional<Violation> first_violation(const Word *states, std::size_t count);

    // Visits each of these states that does, in their order, with what is found there.
    template <class Visit> void for_each_violation(const Word *states, std::size_t count, const Visit &visit) {
        for (std::size_t first = 0; first < count && !empty();) {
            const std::optional<asset_fault> fault = predicates_.evaluate(states + first * width_, count - first);
            const std::size_t evaluated = fault ? fault->state : count - first;
            for (std::size_t state = 0; state < evaluated; ++state)
                if (!predicates_.all_hold(state))
                    visit(first + state, Finding{.requirement = first_violated(state, ~std::uint32_t{0})});
            if (fault)
                visit(first + evaluated, faulty(evaluated, *fault));
            first += evaluated + 1;
        }
    }

  private:
    // What is found in a state in which evaluating a predicate is a model error.
    Finding faulty(std::size_t state, const asset_fault &fault) const;

    // The first requirement that the state violates, of those whose predicates have numbers below `end`; or none.
    std::int32_t first_violated(std::size_t state, std::uint32_t end) const;

    const std::size_t width_; // of a state, in words
    std::vector<StateRequirement> required_;
    Predicates predicates_;
};

} // namespace asset

#include "predicates.h"

#include <algorithm>

namespace asset {
namespace {

std::vector<std::uint32_t> predicates_of(std::span<const StateRequirement> required) {
    std::vector<std::uint32_t> result;
    for (const StateRequirement &each : required)
        result.push_back(each.predicate);
    return result;
}

} // namespace

Predicates::Predicates(const asset_model &model, std::span<const std::uint32_t> wanted)
    : model_(model), words_((model.nr_predicates + 63) / 64) {
    want(wanted);
}

void Predicates::want(std::span<const std::uint32_t> wanted) {
    wanted_.assign(words_, 0);
    for (const std::uint32_t predicate : wanted)
        wanted_[predicate / 64] |= std::uint64_t{1} << predicate % 64;
}

std::optional<asset_fault> Predicates::evaluate(const Word *states, std::size_t count) {
    if (truths_.size() < count * words_)
        truths_.resize(count * words_);
    asset_fault fault{};
    model_.predicates(states, count, wanted_.data(), truths_.data(), &fault);
    return fault.code ? std::optional(fault) : std::nullopt;
}

StateRequirements::StateRequirements(const asset_model &model, std::span<const StateRequirement> required)
    : width_(model.state_words), required_(required.begin(), required.end()),
      predicates_(model, predicates_of(required)) {}

void StateRequirements::leave_out(std::int32_t requirement) {
    std::erase_if(required_, [&](const StateRequirement &each) { return each.requirement == requirement; });
    predicates_.want(predicates_of(required_));
}

std::optional<StateRequirements::Violation> StateRequirements::first_violation(const Word *states, std::size_t count) {
    if (count == 0 || empty())
        return std::nullopt;
    const std::optional<asset_fault> fault = predicates_.evaluate(states, count);
    const std::size_t evaluated = fault ? fault->state : count;
    for (std::size_t state = 0; state < evaluated; ++state)
        if (!predicates_.all_hold(state))
            return Violation{state, {.requirement = first_violated(state, ~std::uint32_t{0})}};
    if (!fault)
        return std::nullopt;
    return Violation{evaluated, faulty(evaluated, *fault)};
}

Finding StateRequirements::faulty(std::size_t state, const asset_fault &fault) const {
    const std::int32_t violated = first_violated(state, fault.number);
    if (violated != none)
        return {.requirement = violated};
    return {.during = During::predicate, .predicate = fault.number};
}

std::int32_t StateRequirements::first_violated(std::size_t state, std::uint32_t end) const {
    for (const StateRequirement &each : required_)
        if (each.predicate < end && !predicates_.holds(state, each.predicate))
            return each.requirement;
    return none;
}

} // namespace asset

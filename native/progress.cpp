#include "progress.h"

#include <array>

#include "following.h"
#include "predicates.h"
#include "recurrence.h"

namespace asset {

std::optional<Lost> GraphChecks::first_lost() {
    for (const GraphRequirement &required : space_.options.on_graph)
        if (std::optional<Lost> lost = std::visit([&](const auto &each) { return first_lost_of(each); }, required))
            return lost;
    return std::nullopt;
}

std::optional<Lost> GraphChecks::first_lost_of(const ProgressRequirement &required) {
    if (const Followed *renamed = followed(required.predicate))
        return Following(space_, graph_, *renamed, required).first_lost(lassos_);
    Bits good(space_.budget, graph_.ids());
    good.set_all();
    if (std::optional<Lost> faulty = find_good(required, good))
        return faulty;
    settle(good, required.by_all ? Settles::by_all : Settles::by_some, space_.budget, graph_, space_.interrupted);
    const std::uint64_t first = good.next_unset(0);
    if (first == good.size())
        return std::nullopt;
    Lost lost{{.requirement = required.requirement}, static_cast<Id>(first)};
    if (lassos_)
        lost.lasso = LassoSearch(space_.budget, graph_, good, space_.interrupted).from(lost.state);
    return lost;
}

const Followed *GraphChecks::followed(std::int64_t predicate) const {
    for (const Followed &each : space_.options.followed)
        if (each.predicate == predicate)
            return &each;
    return nullptr;
}

std::optional<Lost> GraphChecks::find_good(const ProgressRequirement &required, Bits &good) const {
    constexpr std::size_t many = 1024;
    const bool asked = required.predicate != none;
    const std::uint32_t predicate = asked ? static_cast<std::uint32_t>(required.predicate) : 0;
    Predicates predicates(space_.model, {&predicate, asked ? 1u : 0u});
    std::optional<Lost> faulty;
    for_each_batch(space_.arena, many, [&](Range states) {
        if (space_.interrupted.load(std::memory_order_relaxed))
            throw Interrupted();
        if (faulty)
            return;
        const auto fault = asked ? predicates.evaluate(space_.arena[states.first], states.count) : std::nullopt;
        if (fault) {
            const Finding finding{.during = During::predicate, .predicate = fault->number};
            faulty = Lost{finding, states.first + static_cast<Id>(fault->state)};
            return;
        }
        for (Id i = 0; i < states.count; ++i) {
            const bool accepted = asked && predicates.holds(i, predicate);
            if (!accepted && !(required.terminal_counts && graph_.terminal(states.first + i)))
                good.reset(states.first + i);
        }
    });
    return faulty;
}

std::optional<Lost> GraphChecks::first_lost_of(const RecurrenceRequirement &required) {
    RecurrenceCheck check(space_.budget, graph_, space_.interrupted);
    check.name_edges(required, space_.arena, space_.successors);
    const std::optional<Id> state = check.first_lost();
    if (!state)
        return std::nullopt;
    return Lost{{.requirement = required.requirement}, *state, lassos_ ? check.cycle_through(*state) : Lasso{}};
}

} // namespace asset

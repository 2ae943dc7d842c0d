#include "progress.h"

#include <array>

#include "following.h"
#include "recurrence.h"

namespace asset {

bool asks_for_progress(const Options &options) {
    return options.checked[ASSET_MAY_PROGRESS] || options.checked[ASSET_MUST_PROGRESS] ||
           !options.recurrences.empty() || options.terminates;
}

std::optional<Lost> ProgressChecks::first_lost() {
    for (const int kind : {ASSET_MAY_PROGRESS, ASSET_MUST_PROGRESS})
        if (std::optional<Lost> lost = first_lost_of(kind))
            return lost;
    for (const Recurrence &recurrence : space_.options.recurrences)
        if (std::optional<Lost> lost = lost_recurrence(recurrence))
            return lost;
    if (!space_.options.terminates)
        return std::nullopt;
    Bits good(space_.budget, graph_.ids());
    good.set_all();
    for_each_batch(space_.arena, graph_.ids(), [&](Range range) {
        for (Id id = range.first; id < range.first + range.count; ++id)
            if (!graph_.terminal(id))
                good.reset(id);
    });
    return first_unsettled(good, Settles::by_some, {.wrong = Wrong::termination});
}

std::optional<Lost> ProgressChecks::first_lost_of(int kind) {
    for (std::uint64_t left = space_.options.checked[kind]; left; left &= left - 1)
        if (std::optional<Lost> lost = first_lost_of(kind, static_cast<std::uint32_t>(std::countr_zero(left))))
            return lost;
    return std::nullopt;
}

std::optional<Lost> ProgressChecks::first_lost_of(int kind, std::uint32_t index) {
    const bool may = kind == ASSET_MAY_PROGRESS;
    const Settles rule = may ? Settles::by_some : Settles::by_all;
    const Finding finding{.wrong = may ? Wrong::may_progress : Wrong::must_progress, .index = index};
    if (const Followed *renamed = followed(kind, index))
        return Following(space_, graph_, *renamed, rule, terminal_counts(kind)).first_lost(finding, lassos_);
    Bits good(space_.budget, graph_.ids());
    good.set_all();
    if (std::optional<Lost> faulty = find_good(kind, index, good))
        return faulty;
    return first_unsettled(good, rule, finding);
}

const Followed *ProgressChecks::followed(int kind, std::uint32_t index) const {
    for (const Followed &each : space_.options.followed)
        if (each.kind == kind && each.index == index)
            return &each;
    return nullptr;
}

std::optional<Lost> ProgressChecks::find_good(int kind, std::uint32_t index, Bits &good) const {
    std::array<std::uint64_t, 1024> labels;
    std::optional<Lost> faulty;
    for_each_batch(space_.arena, labels.size(), [&](Range states) {
        if (space_.interrupted.load(std::memory_order_relaxed))
            throw Interrupted();
        if (faulty)
            return;
        asset_fault fault{};
        space_.model.labels[kind](space_.arena[states.first], states.count, labels.data(), &fault);
        if (fault.code) {
            const Finding finding{.index = fault.command, .during = During::property, .kind = kind};
            faulty = Lost{finding, states.first + static_cast<Id>(fault.state)};
            return;
        }
        for (Id i = 0; i < states.count; ++i) {
            const bool accepted = labels[i] >> index & 1;
            if (!accepted && !(terminal_counts(kind) && graph_.terminal(states.first + i)))
                good.reset(states.first + i);
        }
    });
    return faulty;
}

bool ProgressChecks::terminal_counts(int kind) const {
    const Options &options = space_.options;
    return !(kind == ASSET_MAY_PROGRESS ? options.terminal_is_no_may_progress : options.terminal_is_no_must_progress);
}

std::optional<Lost> ProgressChecks::first_unsettled(Bits &good, Settles rule, const Finding &finding) const {
    settle(good, rule, space_.budget, graph_, space_.interrupted);
    const std::uint64_t first = good.next_unset(0);
    if (first == good.size())
        return std::nullopt;
    const Id state = static_cast<Id>(first);
    if (!lassos_)
        return Lost{finding, state};
    return Lost{finding, state, LassoSearch(space_.budget, graph_, good, space_.interrupted).from(state)};
}

std::optional<Lost> ProgressChecks::lost_recurrence(const Recurrence &recurrence) {
    RecurrenceCheck check(space_.budget, graph_, space_.interrupted);
    check.name_edges(recurrence, space_.arena, space_.successors);
    const std::optional<Id> state = check.first_lost();
    if (!state)
        return std::nullopt;
    const Finding finding{.wrong = Wrong::recurrence, .index = recurrence.index};
    return Lost{finding, *state, lassos_ ? check.cycle_through(*state) : Lasso{}};
}

} // namespace asset

// Whether looking for stubborn sets pays: decided at the end of a level of the search, from counts alone, so that it is
// the same for any number of threads. asset/engine/effort.py is the specification.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arena.h"

namespace asset {

class Effort {
  public:
    explicit Effort(std::uint64_t obligations) : obligations_(obligations) {}

    // Whether stubborn sets are looked for in the states of the level at hand.
    bool reducing() const { return reducing_; }

    // A level was explored; `enabled` and `fired` count the commands in its states. The next one has `next` states.
    void end_level(std::uint64_t states, std::uint64_t enabled, std::uint64_t fired, std::uint64_t next) {
        if (reducing_) {
            tried_ += states;
            enabled_ += enabled;
            fired_ += fired;
            if (tried_ < enough && !doubtful_)
                return;
            judge();
        } else {
            full_states_ += states;
        }
        reducing_ = !doubtful_ || doubtful_ * next <= full_states_;
        if (reducing_)
            full_states_ = 0;
    }

    // Everything is fired in these states, of the level at hand.
    void add_full(Range states) {
        full_.insert(std::upper_bound(full_.begin(), full_.end(), states.first, before), states);
    }

    // Whether everything is fired in the state.
    bool full(Id id) const {
        const Range *range = last_before(id);
        return range && id - range->first < range->count;
    }

    // Whether the states are of one range in which everything is fired.
    bool all_full(Range states) const {
        const Range *range = last_before(states.first);
        return range && states.first - range->first + states.count <= range->count;
    }

    bool never_full() const { return full_.empty(); }

    template <class Archive> void archive(Archive &archive) {
        archive(reducing_, doubtful_, tried_, enabled_, fired_, full_states_, full_);
    }

  private:
    static constexpr std::uint64_t enough = 512; // states to decide from
    // It does not pay if more than 15 of 16 enabled commands are fired, the one not counted that must be in each state.
    static constexpr std::uint64_t most_fired = 15;
    static constexpr std::uint64_t of_enabled = 16;
    static constexpr std::uint64_t first_doubt = 16;
    static constexpr std::uint64_t as_one = 32; // obligations that take as long as firing a command

    static bool before(Id id, const Range &range) { return id < range.first; }

    const Range *last_before(Id id) const {
        const auto after = std::upper_bound(full_.begin(), full_.end(), id, before);
        return after == full_.begin() ? nullptr : &*(after - 1);
    }

    void judge() {
        const std::uint64_t more = enabled_ - std::min(enabled_, tried_);
        const bool pays = of_enabled * (fired_ - std::min(fired_, tried_)) <= most_fired * more;
        const std::uint64_t price = 1 + obligations_ * tried_ / (as_one * std::max<std::uint64_t>(1, enabled_));
        doubtful_ = pays ? 0 : std::max(first_doubt * price, 2 * doubtful_);
        tried_ = enabled_ = fired_ = 0;
    }

    const std::uint64_t obligations_;
    bool reducing_ = true;
    std::uint64_t doubtful_ = 0; // 0, or how many times as many states must be explored in full before another try
    std::uint64_t tried_ = 0;    // states in which sets were looked for since the last decision
    std::uint64_t enabled_ = 0;
    std::uint64_t fired_ = 0;
    std::uint64_t full_states_ = 0; // explored in full since the last try
    std::vector<Range> full_;       // in the order of their ids
};

} // namespace asset

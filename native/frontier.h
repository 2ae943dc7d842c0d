// The states that are to be expanded, and in which order. What every frontier offers the search:
//
//   take(part)                      a batch of states that lie in one piece of memory, or none; from any thread. Those
//                                   who take part in it have a part of the states each, and then help the others.
//   refill(found, arena, capacity)  while every thread waits and nothing is left to take: these states, which were
//                                   found meanwhile, are to be expanded too, in batches of so many at most. How many
//                                   states there are now.
//   depth()                         the distance from a start state of what can be taken, plus one
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "arena.h"

namespace asset {

// Breadth-first: a level after the other. So the first way to a state is a shortest one.
class Levels {
  public:
    explicit Levels(std::size_t parts = 1) : parts_(std::max<std::size_t>(parts, 1)) {}

    // States that were found one after the other have successors in common: so each thread has some of these.
    std::optional<Range> take(std::size_t own) {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            Part &part = parts_[(own + i) % parts_.size()];
            if (part.next.load(std::memory_order_relaxed) < part.end)
                if (const std::size_t next = take_from(part); next < part.end)
                    return batches_[next];
        }
        return std::nullopt;
    }

    Id refill(std::span<const Range> found, const Arena &arena, std::size_t capacity) {
        batches_.clear();
        Id size = 0;
        for (const Range &range : found) {
            cut(range, arena, static_cast<Id>(capacity));
            size += range.count;
        }
        share();
        if (size) {
            ++depth_;
            bounds_.push_back(bounds_.back() + size);
        }
        return size;
    }

    std::size_t depth() const { return depth_; }

    // How many states each level has.
    std::vector<std::uint64_t> sizes() const {
        std::vector<std::uint64_t> result(bounds_.size());
        std::adjacent_difference(bounds_.begin(), bounds_.end(), result.begin());
        result.erase(result.begin());
        return result;
    }

    // These are for a search by one thread, whose ids are in the order of discovery.

    // The states of a level.
    Range level(std::size_t number) const {
        return {static_cast<Id>(bounds_[number]), static_cast<Id>(bounds_[number + 1] - bounds_[number])};
    }
    std::size_t level_of(Id id) const {
        return static_cast<std::size_t>(std::upper_bound(bounds_.begin(), bounds_.end(), id) - bounds_.begin()) - 1;
    }

    // What nobody has taken.
    std::vector<Range> left() const {
        std::vector<Range> result;
        for (const Part &part : parts_)
            for (std::size_t next = part.next.load(std::memory_order_relaxed); next < part.end; ++next)
                result.push_back(batches_[next]);
        return result;
    }

    // What was not taken of the level; the rest of what is known is archived.
    void resume(std::span<const Range> left, const Arena &arena, std::size_t capacity) {
        for (const Range &range : left)
            cut(range, arena, static_cast<Id>(capacity));
        share();
    }

    template <class Archive> void archive(Archive &archive) { archive(depth_, bounds_); }

    // The states that are found until the next level begins are found by widening these.
    void begin_widening(std::vector<Id> states) { widened_[depth_] = std::move(states); }

    // The states whose widening led to the level; none if the level before did.
    const std::vector<Id> *widened_before(std::size_t level) const {
        const auto found = widened_.find(level);
        return found == widened_.end() ? nullptr : &found->second;
    }

  private:
    // Batches that are taken one after the other.
    struct alignas(64) Part {
        std::atomic<std::size_t> next{0};
        std::size_t end = 0;
    };

    // If there is one part, there is one thread.
    std::size_t take_from(Part &part) {
        if (parts_.size() > 1)
            return part.next.fetch_add(1, std::memory_order_relaxed);
        const std::size_t next = part.next.load(std::memory_order_relaxed);
        part.next.store(next + 1, std::memory_order_relaxed);
        return next;
    }

    void share() {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            parts_[i].next = batches_.size() * i / parts_.size();
            parts_[i].end = batches_.size() * (i + 1) / parts_.size();
        }
    }

    void cut(Range range, const Arena &arena, Id capacity) {
        while (range.count) {
            const Id count = std::min({range.count, arena.contiguous(range.first), capacity});
            batches_.push_back({range.first, count});
            range.first += count;
            range.count -= count;
        }
    }

    std::vector<Range> batches_; // of the level
    std::vector<Part> parts_;
    std::size_t depth_ = 0;
    std::vector<std::uint64_t> bounds_{0};           // where each level begins, and where the last one ends
    std::map<std::size_t, std::vector<Id>> widened_; // by level
};

} // namespace asset

// Records in files, in order: sorted in memory as far as there is room, written as runs, and merged.
#pragma once

#include <numeric>

#include "spill.h"

namespace asset {

inline int compare(const Word *a, const Word *b, std::size_t words) {
    for (std::size_t i = 0; i < words; ++i)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// How much of a run is in memory at once, if so many are read or written; perhaps none, as of a graph without edges.
inline std::size_t block_of(const Budget &budget, std::size_t runs) {
    constexpr std::size_t least = 1 << 12, most = 1 << 20;
    const std::size_t left = budget.limit() - std::min(budget.limit(), budget.used());
    return std::clamp(left / 2 / std::max<std::size_t>(runs, 1), least, most);
}

// The records of sorted runs, each once, in their order.
class Merging {
  public:
    Merging(Budget &budget, const std::vector<Run> &runs, std::size_t words, std::size_t block)
        : words_(words), last_(words) {
        for (const Run &run : runs)
            if (run.states)
                readers_.push_back(std::make_unique<RunReader>(budget, run, words, block));
        for (std::size_t i = 0; i < readers_.size(); ++i)
            heap_.push_back(i);
        const auto later = [this](std::size_t a, std::size_t b) { return is_later(a, b); };
        std::make_heap(heap_.begin(), heap_.end(), later);
    }

    const Word *front() const { return heap_.empty() ? nullptr : readers_[heap_.front()]->front(); }

    void pop() {
        const auto later = [this](std::size_t a, std::size_t b) { return is_later(a, b); };
        std::copy_n(front(), words_, last_.data());
        while (front() && compare(front(), last_.data(), words_) == 0) {
            std::pop_heap(heap_.begin(), heap_.end(), later);
            readers_[heap_.back()]->pop();
            if (readers_[heap_.back()]->front())
                std::push_heap(heap_.begin(), heap_.end(), later);
            else
                heap_.pop_back();
        }
    }

  private:
    bool is_later(std::size_t a, std::size_t b) const {
        return compare(readers_[a]->front(), readers_[b]->front(), words_) > 0;
    }

    const std::size_t words_;
    std::vector<std::unique_ptr<RunReader>> readers_;
    std::vector<Word> last_;        // that was popped
    std::vector<std::size_t> heap_; // readers that have records, the one with the smallest first
};

class Sorter {
  public:
    // Takes half of what is left of the budget.
    Sorter(Budget &budget, std::string folder, std::size_t words)
        : budget_(budget), folder_(std::move(folder)), words_(words) {
        const std::size_t left = budget.limit() - std::min(budget.limit(), budget.used());
        const std::size_t a_record = words * sizeof(Word) + sizeof(std::uint32_t); // and its place in the order
        room_ = std::clamp<std::size_t>(left / 2 / a_record, 1, most_room);
        region_ = Region(budget, room_ * a_record);
    }

    void add(const Word *record) {
        if (held_ == room_)
            write();
        std::copy_n(record, words_, region_.as<Word>() + held_++ * words_);
    }

    // All that was added, as sorted runs; then nothing was.
    std::vector<Run> take() {
        write();
        return std::exchange(runs_, {});
    }

    const std::vector<Run> &runs() const { return runs_; } // that were written

  private:
    static constexpr std::size_t most_runs = 48; // that are merged at once
    static constexpr std::size_t most_room = ~std::uint32_t{0};

    void write() {
        if (!held_)
            return;
        auto *order = reinterpret_cast<std::uint32_t *>(region_.as<Word>() + room_ * words_);
        std::iota(order, order + held_, 0);
        const auto at = [this](std::uint32_t number) { return region_.as<Word>() + std::size_t{number} * words_; };
        std::sort(order, order + held_,
                  [&](std::uint32_t a, std::uint32_t b) { return compare(at(a), at(b), words_) < 0; });
        RunWriter run = writer();
        for (std::size_t i = 0; i < held_; ++i)
            if (i == 0 || compare(at(order[i - 1]), at(order[i]), words_) != 0)
                run.add(at(order[i]));
        runs_.push_back(run.finish());
        held_ = 0;
        if (runs_.size() == most_runs)
            merge();
    }

    void merge() {
        RunWriter merged = writer();
        for (Merging all(budget_, runs_, words_, block()); all.front(); all.pop())
            merged.add(all.front());
        runs_.assign(1, merged.finish());
    }

    RunWriter writer() { return {budget_, std::make_shared<SpillFile>(folder_), words_, block()}; }
    std::size_t block() const { return block_of(budget_, runs_.size() + 3); }

    Budget &budget_;
    const std::string folder_;
    const std::size_t words_;
    std::size_t room_ = 0, held_ = 0; // records
    Region region_;
    std::vector<Run> runs_;
};

} // namespace asset

// A breadth-first search of a model's state space: what it is asked, how far it is, what it found.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "abi.h"
#include "memory.h"

namespace asset {

struct Options {
    std::array<std::uint64_t, ASSET_KINDS> checked{}; // for each kind, one bit for each property to check
    std::uint64_t max_states = 0;                     // 0: no limit
    std::uint64_t max_memory = 0;                     // bytes; 0: most of what is free
    unsigned threads = 1;
};

enum class Stop { complete, finding, max_states, max_memory, interrupted };

// The counts of a search, readable by other threads while it runs.
struct Progress {
    std::atomic<std::uint64_t> states{0};
    std::atomic<std::uint64_t> edges{0};
    std::atomic<std::uint64_t> expanded{0};
    std::atomic<std::uint64_t> terminal_states{0};
    std::atomic<std::uint64_t> depth{0};
};

inline constexpr std::int32_t none = -1;

// Something bad in the last state of a path. Where `kind` is none it is a model error, which occurs when `failing` is
// fired there, or when property `index` of kind `evaluating` is evaluated there.
struct Finding {
    std::int32_t kind = none;
    std::uint32_t index = 0;
    std::int64_t failing = none;
    std::int32_t evaluating = none;
    std::vector<std::int64_t> commands{}; // the path: none, which leads to the initial state, then one for each step
    std::vector<std::uint64_t> states{};  // as many, one after the other
};

class Search {
  public:
    // The model must outlive the search. Throws std::invalid_argument where its ABI version is another.
    Search(const asset_model &model, const Options &options);

    // Explores every reachable state, or up to the first finding or limit. To be called once.
    void run();

    // Ends the search soon; from any thread.
    void interrupt() { interrupted_ = true; }

    Stop stop() const { return stop_; }
    const Progress &progress() const { return progress_; }
    const Budget &budget() const { return budget_; }
    const std::optional<Finding> &finding() const { return finding_; }

  private:
    template <bool Parallel> void explore();
    template <class Store, bool Parallel> void explore_with();

    const asset_model &model_;
    const Options options_;
    Budget budget_;
    Progress progress_;
    std::atomic<bool> interrupted_{false};
    Stop stop_ = Stop::interrupted;
    std::optional<Finding> finding_;
};

} // namespace asset

// A breadth-first search of a model's state space: what it is asked, how far it is, what it found.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "abi.h"
#include "memory.h"
#include "rules.h"

namespace asset {

inline constexpr std::int32_t none = -1;

// Whenever commands of `again` occur infinitely often, so do commands of `then`. `index` is its number among all.
struct Recurrence {
    std::uint32_t index = 0;
    std::vector<std::uint32_t> again{};
    std::vector<std::uint32_t> then{};
};

// A property that symmetries rename: number `index` of a kind. Its meanings are those from `first` on in
// asset_model.holds; `images` has, for each step of asset_model.steps, what each of them becomes.
struct Followed {
    int kind = none;
    std::uint32_t index = 0;
    std::uint32_t first = 0;
    std::uint32_t meanings = 0; // at most 64
    std::vector<std::uint8_t> images{};
};

struct Options {
    std::array<std::uint64_t, ASSET_KINDS> checked{}; // for each kind, one bit for each property to check
    std::vector<Recurrence> recurrences{};
    std::vector<Followed> followed{};
    bool terminates = false;                   // check that from every state a terminal state is reachable
    bool terminal_is_no_may_progress = false;  // terminal states count as progress unless this is set
    bool terminal_is_no_must_progress = false; // the same for must progress
    bool stubborn = false;                     // fire only a stubborn set, by the model's rules, in each state
    std::shared_ptr<const RuleTables> derived{}; // instead of those: fire only a stubborn set by these rules
    bool symmetry = false;                     // replace each state by its representative
    bool in_order = false;                     // ask the model about one state after the other, not about many at once
    std::uint64_t max_states = 0;                     // 0: no limit
    std::uint64_t max_memory = 0;                     // bytes; 0: most of what is free
    unsigned threads = 1;
};

bool asks_for_progress(const Options &options);

enum class Stop { complete, finding, max_states, max_memory, interrupted };

// The counts of a search, readable by other threads while it runs.
struct Progress {
    std::atomic<std::uint64_t> states{0};
    std::atomic<std::uint64_t> edges{0};
    std::atomic<std::uint64_t> enabled{0}; // commands, with derived rules also those that were not fired
    std::atomic<std::uint64_t> expanded{0};
    std::atomic<std::uint64_t> terminal_states{0};
    std::atomic<std::uint64_t> depth{0};
};

enum class Wrong { invariant, terminal, may_progress, must_progress, recurrence, termination, fault };

// What a model error occurred in.
enum class During { firing, property, rule, representative };

// Something bad, with a shortest path to it. `index` is the number of the violated property among those of its kind.
// For progress, the path goes on from the first state that violates, at `progress_lost_at`, to a terminal state or back
// to the state at `cycle_starts_at`.
//
// A model error occurs in the last state: `during` firing `command`; evaluating property `index` of kind `kind`;
// evaluating the rule of `command`; or finding the representative of what `command` leads to (of the initial state
// where it is none).
struct Finding {
    Wrong wrong = Wrong::fault;
    std::uint32_t index = 0;
    During during = During::firing;
    std::int32_t kind = none;
    std::int64_t command = none;
    std::int64_t progress_lost_at = none;
    std::int64_t cycle_starts_at = none;
    std::vector<std::int64_t> commands{}; // the path: none, which leads to the initial state, then one for each step
    std::vector<std::uint64_t> states{};  // as many, one after the other
};

class Search {
  public:
    // The model must outlive the search. Throws std::invalid_argument where its ABI version is another.
    Search(const asset_model &model, const Options &options);

    // Explores every reachable state, or up to the first finding or limit; then, where progress is to be checked and
    // everything was explored without one, up to the first finding there. To be called once.
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
    template <bool Parallel, class Explorer> void check_progress(Explorer &explorer);

    const asset_model &model_;
    const Options options_;
    Budget budget_;
    Progress progress_;
    std::atomic<bool> interrupted_{false};
    Stop stop_ = Stop::interrupted;
    std::optional<Finding> finding_;
};

} // namespace asset

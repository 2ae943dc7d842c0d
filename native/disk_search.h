// A breadth-first search whose states are in files, for what memory does not hold: slower, and as exact.
//
// Whether a state is known is not asked when it is found, but for all of a level together (delayed duplicate detection:
// Munagala and Ranade 1999; Korf 2003). What the states of a level lead to is collected in memory, sorted and written
// as runs. When the level is done, its runs are merged with the runs of all states that are known, in one pass over
// each; what is in none of those is the next level. Of the known runs, those of about the same size are merged, so that
// there are few.
#pragma once

#include <span>

#include "disk_graph.h"

namespace asset {

class StateRequirements;

class DiskSearch {
  public:
    // Without derived rules. The options name the folder.
    DiskSearch(const asset_model &model, const Options &options, Budget &budget, Progress &progress,
               const std::atomic<bool> &interrupted);
    ~DiskSearch();

    static bool suits(const Options &options) {
        return !options.spill.empty() && !options.repairs() && !options.derived && !options.on_the_fly &&
               !options.in_order && options.approximation.kind == Approximation::Kind::none;
    }

    // Explores every reachable state, or up to the first finding or limit. Throws SpillFailed.
    Stop run();

    const std::optional<Finding> &finding() const { return finding_; }
    std::vector<std::uint64_t> levels() const;

    // Nothing more is to be explored: memory is free for what is asked of the graph.
    Explored end_exploring();
    std::uint64_t bytes_on_disk() const { return most_on_disk_; }

  private:
    struct Step {
        std::vector<Word> state;
        std::int64_t command;
    };

    void collect_starts();
    void expand_level();
    void expand(std::span<const Word> sources);
    bool terminal_is_wrong();
    void merge_level();
    void add_new(const Word *state, RunWriter &level);
    bool check_gathered();
    void merge_known();
    void find(Finding finding, const Word *state, std::size_t level);
    Step predecessor(std::size_t level, const Word *state);
    // There may be so many runs, and what is known, twice.
    std::size_t block(std::size_t runs = 0) const { return block_of(budget_, runs + known_.size() + 3); }
    std::shared_ptr<SpillFile> new_file() const { return std::make_shared<SpillFile>(options_.spill); }
    void heed_interrupt() const;
    void note_disk(const std::vector<Run> &found = {});

    const asset_model &model_;
    const Options &options_;
    Budget &budget_;
    Progress &progress_;
    const std::atomic<bool> &interrupted_;
    const std::size_t words_;
    const Effort effort_{0};
    const Widened widened_{};
    Successors successors_;
    std::unique_ptr<StateRequirements> in_states_, in_terminal_states_;
    std::shared_ptr<SpillFile> all_levels_;
    std::vector<Run> levels_;     // of one file, in order
    std::vector<Run> known_;      // sorted, the larger ones first
    std::optional<Sorter> found_; // what the level leads to
    std::vector<Word> gathered_;  // new states that are still to be checked
    std::optional<Finding> finding_;
    std::optional<Stop> stop_;
    std::uint64_t most_on_disk_ = 0;
};

} // namespace asset

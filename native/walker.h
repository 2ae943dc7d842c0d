// Random runs of a model, some side by side (asset.engine.simulation says what they are). In each round, every run
// makes a step: of the commands that change its state, each is as likely.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "distinct.h"
#include "predicates.h"
#include "random.h"
#include "step_tables.h"

namespace asset {

// A cell of the state whose values are counted: at most 16 bits of a word, and so many values at most.
struct CountedCell {
    std::uint32_t word = 0, shift = 0, width = 0, values = 0;

    std::uint64_t mask() const { return (std::uint64_t{1} << width) - 1; }
};

// Tells, for each of `count` states, which commands are enabled: a bit for each, of 64 at most. Firing any of them is
// no model error; if one is, it stops there, and fault says where, as in asset_model.successors.
using TellEnabled = void (*)(const Word *states, std::uint64_t count, std::uint64_t *out, asset_fault *fault);

// What random runs are asked, besides what a search is.
struct Sampling {
    std::uint64_t seed = 0;
    std::uint64_t length = 1; // the most steps of a run
    std::uint64_t steps = 0;  // of all runs together; 0: no limit
    std::uint64_t lanes = 1;  // how many runs each thread makes side by side
    std::vector<CountedCell> cells{};
    TellEnabled enabled = nullptr; // of the model, if it has such a function
    std::vector<TouchedBits> touched{};
};

// A state that runs begin in, and the way there: that to its parent, then by these commands. Without a parent it is a
// start state.
struct Origin {
    std::shared_ptr<const Origin> parent;
    std::vector<std::uint32_t> commands;
    std::vector<Word> state;
    std::uint64_t depth;
};

struct Run {
    std::vector<Word> start;
    std::vector<std::uint32_t> commands;
};

// Each thread has its own.
class Walker {
  public:
    Walker(const asset_model &model, const Options &options, const Sampling &sampling, std::uint64_t stream);

    // Another round, of at most so many steps; nothing is found yet. Whether nothing is found.
    bool walk(std::uint64_t most_steps);

    // What is wrong in the last state of a run, without the path; and the run.
    const std::optional<Finding> &finding() const { return finding_; }
    Run run() const;

    std::uint64_t steps() const { return steps_; }
    std::uint64_t runs() const { return runs_; }
    std::uint64_t longest() const;
    std::uint64_t terminal() const { return terminal_; }
    const Distinct &distinct() const { return distinct_; }

    // Whether each command was fired, and the values of each counted cell: a bit for each.
    std::vector<std::uint8_t> fired() const;
    const std::vector<std::vector<std::uint64_t>> &values() const { return values_; }

  private:
    static constexpr std::size_t most_origins = 256;
    static constexpr std::uint64_t most_kept_depth = 1 << 16; // so that they take little memory

    // A run: where it began, and what was fired since.
    struct Lane {
        std::shared_ptr<const Origin> origin;
        std::vector<std::uint32_t> commands;
        std::uint64_t most = 0; // commands
        bool ended = false;     // in a terminal state

        std::uint64_t depth() const { return origin->depth + commands.size(); }
    };

    Word *state(std::size_t lane) { return states_.data() + lane * words_; }
    Word *before(std::size_t lane) { return before_.data() + lane * words_; }

    void begin(std::size_t lane);
    void look_at_starts();
    void find(std::size_t lane, Finding finding);
    std::size_t fire(std::size_t lanes);
    bool step(std::size_t lane, std::size_t first_edge);
    void find_successors(std::size_t lanes, asset_fault &fault);
    void fire_each(std::size_t lanes, asset_fault &fault);
    template <class Step> std::size_t step_each(std::size_t lanes, const Step &step);
    bool may_end(std::size_t lane);
    std::size_t step_by_successors(std::size_t lanes);
    std::size_t step_by_one(std::size_t lanes);
    ASSET_V3 std::size_t step_by_one_v3(std::size_t lanes);
    template <bool gathers, std::size_t Told = 0> bool step_by_one(std::size_t lane);
    template <bool gathers, std::size_t Told> bool choose(std::size_t lane, std::uint32_t &command);
    bool step_by_another(std::size_t lane);
    template <bool gathers> ASSET_INLINE void fire_one(Word *state, std::uint32_t command) {
        if (tables_)
            tables_->fire<gathers>(state, command);
        else
            model_.fire(state, command);
    }
    void fire_one(Word *state, std::uint32_t command) {
        gathers_fast() ? fire_one<true>(state, command) : fire_one<false>(state, command);
    }
    const Word *successor(std::size_t edge) const { return successors_.data() + edge * words_; }
    bool changes(const Word *after, std::size_t lane) {
        const Word *now = before(lane);
        return idle_steps_ || after[0] != now[0] || !std::equal(after + 1, after + words_, now + 1);
    }
    void look_at(std::size_t lanes);
    void count_depths(std::size_t looked_at, std::size_t fired);
    bool shows_more(std::size_t lane);
    bool see(std::size_t cell, std::uint64_t value);
    void keep(std::size_t lane);

    const asset_model &model_;
    const std::size_t words_;
    const bool idle_steps_;
    const std::uint64_t length_;
    const std::vector<CountedCell> cells_;
    const TellEnabled tell_enabled_;
    const std::size_t told_; // words of bits for the commands of a state
    std::optional<StepTables> tables_;
    StateRequirements in_states_, in_terminal_states_;
    Random random_;

    std::vector<std::shared_ptr<const Origin>> starts_, origins_;
    std::uint64_t kept_ = 0, turn_ = 0; // how many origins were kept, and begun in

    std::vector<Lane> lanes_;
    std::vector<Word> states_, before_; // of the lanes: now, and before the round
    std::vector<Word> successors_;
    std::vector<std::uint32_t> degrees_, commands_;
    std::vector<std::size_t> choices_;   // edges, or commands
    std::vector<std::uint64_t> enabled_; // of the lanes: a bit for each command, if only one of them is fired
    std::vector<Word> fired_;            // a state

    std::uint64_t steps_ = 0, runs_ = 0, terminal_ = 0;
    std::uint64_t longest_ = 0;              // of the runs that have ended
    std::vector<std::uint8_t> taken_, idle_; // commands that made a step, and that changed nothing
    std::vector<std::vector<std::uint64_t>> values_;
    std::vector<std::uint32_t> unmet_; // how many values of each counted cell were not met
    std::uint64_t left_to_show_ = 0;   // commands that made no step yet, and counted cells with such values
    std::vector<Word> counted_;        // the bits of a state that belong to counted cells with such values
    std::vector<std::uint32_t> cell_of_bit_;
    Distinct distinct_;
    std::optional<Finding> finding_;
    std::size_t found_in_ = 0; // the lane
};

} // namespace asset

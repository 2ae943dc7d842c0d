// Drops the steps of a run that are not needed for what is wrong in its last state (asset.engine.shortening).
#pragma once

#include "walker.h"

namespace asset {

class Shortening {
  public:
    // What is wrong is the finding, which has no path yet.
    Shortening(const asset_model &model, const Options &options, const Finding &finding);

    // A run that shows the same, and has no more steps. It fires at most so many commands, the run as it is included.
    Run shortened(const Run &run, std::uint64_t most_fired);

    // The states of the run one after the other, its start state first.
    std::vector<Word> states_of(const Run &run);

  private:
    using Commands = std::vector<std::uint32_t>;

    void cut_loops(Run &run);
    bool drop(Run &run, std::size_t first, std::size_t count);
    bool fails(const Word *state);
    bool is_terminal(const Word *state);
    bool fire(Word *state, std::uint32_t command);

    const asset_model &model_;
    const Options &options_;
    const Finding &finding_;
    const std::size_t words_;
    StateRequirements in_states_, in_terminal_states_;
    std::vector<Word> before_, state_;
    std::uint64_t left_ = 0; // commands that may be fired
};

} // namespace asset

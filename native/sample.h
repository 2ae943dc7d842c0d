// Some states that random runs lead to: what is decided by them is decided before a search, and the same each time.
#pragma once

#include <vector>

#include "random.h"
#include "search.h"

namespace asset {

class Sample {
  public:
    // So many states, or fewer if the model has many commands; one run after the other. Not of a model that is to be
    // asked in order.
    Sample(const asset_model &model, const Options &options, std::size_t states);

    std::size_t size() const { return states_.size() / words_; }
    const Word *state(std::size_t number) const { return &states_[number * words_]; }
    std::uint32_t piece(std::size_t number, std::uint32_t piece) const {
        return static_cast<std::uint32_t>(state(number)[piece / 2] >> (piece % 2 * 32));
    }

  private:
    void go(std::size_t walk, std::size_t most);
    bool move(std::vector<Word> &state);

    const asset_model &model_;
    const Options &options_;
    const std::size_t words_;
    std::vector<Word> successors_;
    std::vector<std::uint32_t> commands_;
    std::vector<Word> states_;
    Random random_{0, 0};
};

} // namespace asset

#include "sample.h"

#include <algorithm>

#include "successors.h"

namespace asset {
namespace {

constexpr std::size_t longest_walk = 512;
constexpr std::size_t least_states = 64, most_tried = 1 << 22; // commands, which takes some milliseconds

} // namespace

Sample::Sample(const asset_model &model, const Options &options, std::size_t states)
    : model_(model), options_(options), words_(model.state_words),
      successors_((std::size_t{model.nr_commands} + 1) * words_), commands_(model.nr_commands + 1) {
    const std::size_t affordable = std::max(least_states, most_tried / (model.nr_commands + 1));
    const std::size_t most = std::min(states, affordable);
    for (std::size_t walk = 0; walk < most && size() < most; ++walk)
        go(walk, most);
}

void Sample::go(std::size_t walk, std::size_t most) {
    const std::size_t starts = options_.starts.size() / words_;
    const Word *start = &options_.starts[walk % starts * words_];
    std::vector<Word> state(start, start + words_);
    for (std::size_t step = 0; step < longest_walk && size() < most; ++step) {
        states_.insert(states_.end(), state.begin(), state.end());
        if (!move(state))
            return;
    }
}

bool Sample::move(std::vector<Word> &state) {
    asset_fault fault{};
    std::uint32_t degree = 0;
    const std::uint64_t edges =
        model_.named_successors
            ? model_.named_successors(state.data(), 1, successors_.data(), &degree, commands_.data(), &fault)
            : model_.successors(state.data(), 1, successors_.data(), &degree, &fault);
    if (!edges)
        return false;
    const Word *chosen = &successors_[random_.below(static_cast<std::uint32_t>(edges)) * words_];
    state.assign(chosen, chosen + words_);
    represent(model_, options_, state.data());
    return true;
}

} // namespace asset

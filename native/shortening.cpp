#include "shortening.h"

#include <algorithm>
#include <map>
#include <span>

namespace asset {

Shortening::Shortening(const asset_model &model, const Options &options, const Finding &finding)
    : model_(model), options_(options), finding_(finding), words_(model.state_words),
      in_states_(model, options.in_states), in_terminal_states_(model, options.in_terminal_states), before_(words_),
      state_(words_) {}

// First half of the steps at once, then a quarter, and so on; what is needed at first may not be needed later.
Run Shortening::shortened(const Run &found, std::uint64_t most_fired) {
    Run run = found;
    left_ = most_fired;
    cut_loops(run);
    for (std::size_t count = std::max<std::size_t>(1, run.commands.size() / 2); count > 0; count /= 2) {
        for (std::size_t first = 0; first < run.commands.size();)
            if (left_ < run.commands.size())
                return run;
            else if (!drop(run, first, count))
                first += count;
    }
    cut_loops(run);
    return run;
}

// Where the run is in a state again, what was fired meanwhile is not needed.
void Shortening::cut_loops(Run &run) {
    const std::vector<Word> states = states_of(run);
    const auto state = [&](std::size_t number) { return std::span(states).subspan(number * words_, words_); };
    const auto less = [](auto a, auto b) { return std::ranges::lexicographical_compare(a, b); };
    std::map<std::span<const Word>, std::size_t, decltype(less)> last(less); // where the run is in the state last
    for (std::size_t number = 0; number <= run.commands.size(); ++number)
        last[state(number)] = number;
    Commands kept;
    for (std::size_t at = last[state(0)]; at < run.commands.size(); at = last[state(at + 1)])
        kept.push_back(run.commands[at]);
    run.commands = std::move(kept);
}

// Leaves out so many commands, and those that are disabled then, if the run still fails; whether it does.
bool Shortening::drop(Run &run, std::size_t first, std::size_t count) {
    Commands kept;
    state_ = run.start;
    for (std::size_t i = 0; i < run.commands.size(); ++i) {
        if (i >= first && i - first < count)
            continue;
        if (fire(state_.data(), run.commands[i]))
            kept.push_back(run.commands[i]);
    }
    left_ -= std::min<std::uint64_t>(left_, run.commands.size());
    if (!fails(state_.data()))
        return false;
    run.commands = std::move(kept);
    return true;
}

// Whether the command has changed the state.
bool Shortening::fire(Word *state, std::uint32_t command) {
    std::copy_n(state, words_, before_.data());
    if (model_.fire(state, command) > 0 && !std::equal(state, state + words_, before_.data()))
        return true;
    std::copy_n(before_.data(), words_, state);
    return false;
}

bool Shortening::fails(const Word *state) {
    const auto same = [&](const std::optional<StateRequirements::Violation> &bad) {
        return bad && bad->finding.requirement == finding_.requirement && bad->finding.predicate == finding_.predicate;
    };
    if (finding_.requirement == none && finding_.during == During::firing) {
        std::vector<Word> after(state, state + words_);
        return model_.fire(after.data(), static_cast<std::uint32_t>(finding_.command)) < 0;
    }
    if (same(in_states_.first_violation(state, 1)))
        return true;
    return same(in_terminal_states_.first_violation(state, 1)) && is_terminal(state);
}

bool Shortening::is_terminal(const Word *state) {
    std::vector<Word> after(state, state + words_);
    for (std::uint32_t command = 0; command < model_.nr_commands; ++command) {
        const std::int32_t status = model_.fire(after.data(), command);
        if (status < 0 || (status && (options_.idle_steps || !std::equal(after.begin(), after.end(), state))))
            return false;
        std::copy_n(state, words_, after.data());
    }
    return true;
}

std::vector<Word> Shortening::states_of(const Run &run) {
    std::vector<Word> states = run.start;
    state_ = run.start;
    for (const std::uint32_t command : run.commands) {
        model_.fire(state_.data(), command);
        states.insert(states.end(), state_.begin(), state_.end());
    }
    return states;
}

} // namespace asset

#include "disk_search.h"

#include <numeric>

#include "graph.h"
#include "predicates.h"

namespace asset {
namespace {

constexpr std::size_t most_gathered = 256; // states whose predicates are evaluated at once

std::uint64_t states_of(const std::vector<Run> &runs) {
    return std::accumulate(runs.begin(), runs.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Run &run) { return sum + run.states; });
}

} // namespace

DiskSearch::DiskSearch(const asset_model &model, const Options &options, Budget &budget, Progress &progress,
                       const std::atomic<bool> &interrupted)
    : model_(model), options_(options), budget_(budget), progress_(progress), interrupted_(interrupted),
      words_(model.state_words), successors_(budget, model, options, effort_, widened_),
      in_states_(std::make_unique<StateRequirements>(model, options.in_states)),
      in_terminal_states_(std::make_unique<StateRequirements>(model, options.in_terminal_states)),
      all_levels_(new_file()), found_(std::in_place, budget, options.spill, words_) {}

DiskSearch::~DiskSearch() = default;

Stop DiskSearch::run() {
    collect_starts();
    merge_level();
    while (!stop_ && levels_.back().states) {
        expand_level();
        if (!stop_)
            merge_level();
    }
    return stop_.value_or(Stop::complete);
}

std::vector<std::uint64_t> DiskSearch::levels() const {
    std::vector<std::uint64_t> result;
    for (const Run &level : levels_)
        if (level.states)
            result.push_back(level.states);
    return result;
}

void DiskSearch::collect_starts() {
    std::vector<Word> state(words_);
    for (std::size_t first = 0; first < options_.starts.size() && !stop_; first += words_) {
        std::copy_n(&options_.starts[first], words_, state.data());
        if (represent(model_, options_, state.data()))
            found_->add(state.data());
        else
            find({.during = During::representative}, state.data(), 0);
    }
}

void DiskSearch::expand_level() {
    RunReader level(budget_, levels_.back(), words_, block());
    while (level.front() && !stop_) {
        heed_interrupt();
        const std::size_t count = std::min(level.ready(), successors_.capacity());
        expand({level.front(), count * words_});
        level.pop(count);
    }
}

void DiskSearch::expand(std::span<const Word> sources) {
    successors_.expand(sources.data(), sources.size() / words_);
    const std::size_t expanded = successors_.complete();
    for (std::size_t edge = 0; edge < successors_.edges(); ++edge)
        found_->add(successors_.successor(edge));
    progress_.edges += successors_.edges();
    progress_.expanded += expanded;
    progress_.enabled += successors_.enabled(expanded);
    for (std::size_t source = 0; source < expanded; ++source)
        progress_.terminal_states += successors_.terminal(source);
    if (terminal_is_wrong())
        return;
    if (const auto &fault = successors_.fault())
        find({.during = fault->during, .command = fault->command}, successors_.source(fault->source),
             levels_.size() - 1);
}

bool DiskSearch::terminal_is_wrong() {
    for (std::size_t source = 0; source < successors_.complete() && !in_terminal_states_->empty(); ++source)
        if (successors_.terminal(source))
            if (auto wrong = in_terminal_states_->first_violation(successors_.source(source), 1)) {
                find(std::move(wrong->finding), successors_.source(source), levels_.size() - 1);
                return true;
            }
    return false;
}

// What was found and is not known is the next level.
void DiskSearch::merge_level() {
    const std::vector<Run> runs = found_->take();
    note_disk(runs);
    RunWriter level(budget_, all_levels_, words_, block(runs.size()));
    {
        Merging found(budget_, runs, words_, block(runs.size()));
        Merging known(budget_, known_, words_, block(runs.size()));
        for (; found.front() && !stop_; found.pop()) {
            while (known.front() && compare(known.front(), found.front(), words_) < 0)
                known.pop();
            if (!known.front() || compare(known.front(), found.front(), words_) != 0)
                add_new(found.front(), level);
        }
    }
    if (!stop_)
        check_gathered();
    levels_.push_back(level.finish());
    known_.push_back(levels_.back());
    note_disk();
    merge_known();
}

void DiskSearch::add_new(const Word *state, RunWriter &level) {
    if (options_.max_states && progress_.states == options_.max_states) {
        if (!check_gathered())
            stop_ = Stop::max_states;
        return;
    }
    level.add(state);
    ++progress_.states;
    progress_.depth = levels_.size();
    gathered_.insert(gathered_.end(), state, state + words_);
    if (gathered_.size() == most_gathered * words_) {
        heed_interrupt();
        check_gathered();
    }
}

// Whether one of the new states is wrong.
bool DiskSearch::check_gathered() {
    auto wrong = in_states_->empty() || gathered_.empty()
                     ? std::nullopt
                     : in_states_->first_violation(gathered_.data(), gathered_.size() / words_);
    if (wrong)
        find(std::move(wrong->finding), &gathered_[wrong->state * words_], levels_.size());
    gathered_.clear();
    return wrong.has_value();
}

// Runs that are at most twice as large as what comes after them become one with that.
void DiskSearch::merge_known() {
    while (known_.size() > 1 && known_[known_.size() - 2].states <= 2 * known_.back().states) {
        heed_interrupt();
        const std::vector<Run> last(known_.end() - 2, known_.end());
        RunWriter merged(budget_, new_file(), words_, block());
        for (Merging both(budget_, last, words_, block()); both.front(); both.pop())
            merged.add(both.front());
        known_.resize(known_.size() - 2);
        known_.push_back(merged.finish());
        note_disk();
    }
}

// The way to a state of a level is found backwards, level by level.
void DiskSearch::find(Finding finding, const Word *state, std::size_t level) {
    finding.is_only(state, words_);
    stop_ = Stop::finding;
    finding_ = finding;
    std::vector<std::vector<Word>> states{{state, state + words_}};
    std::vector<std::int64_t> commands;
    while (level-- > 0) {
        auto [before, command] = predecessor(level, states.back().data());
        states.push_back(std::move(before));
        commands.push_back(command);
    }
    commands.push_back(none);
    finding.states.clear();
    for (auto each = states.rbegin(); each != states.rend(); ++each)
        finding.states.insert(finding.states.end(), each->begin(), each->end());
    finding.commands.assign(commands.rbegin(), commands.rend());
    finding.whole = true;
    finding_ = std::move(finding);
}

DiskSearch::Step DiskSearch::predecessor(std::size_t level, const Word *state) {
    RunReader before(budget_, levels_[level], words_, block());
    while (before.front()) {
        heed_interrupt();
        const std::size_t count = std::min(before.ready(), successors_.capacity());
        successors_.expand(before.front(), count);
        for (std::size_t edge = 0; edge < successors_.edges(); ++edge)
            if (compare(successors_.successor(edge), state, words_) == 0) {
                const Word *source = successors_.source(successors_.source_of(edge));
                return {{source, source + words_}, successors_.commands(edge + 1)[edge]};
            }
        before.pop(count);
    }
    throw std::logic_error("a model that is not a function: a state is no longer a successor of its predecessor");
}

void DiskSearch::heed_interrupt() const {
    if (interrupted_.load(std::memory_order_relaxed))
        throw Interrupted();
}

void DiskSearch::note_disk(const std::vector<Run> &found) {
    const std::uint64_t states = states_of(levels_) + states_of(known_) + states_of(found);
    most_on_disk_ = std::max(most_on_disk_, states * words_ * sizeof(Word));
}

Explored DiskSearch::end_exploring() {
    found_.reset();
    known_.clear();
    return {model_, options_, interrupted_, successors_, levels_};
}

} // namespace asset

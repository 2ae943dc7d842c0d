#include "successors.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace asset {
namespace {

constexpr std::size_t most_sources = 128;

// Room for successors, unless one source needs more. Of many commands few are enabled, so most of it is never touched;
// with fewer sources at a time, look-ups would wait for memory one after the other. As what is beyond the first of
// these is not counted, it is little of the memory that there is.
constexpr std::size_t least_bytes = std::size_t{1} << 20, most_bytes = std::size_t{1} << 25;

std::size_t suitable_capacity(const Budget &budget, const asset_model &model) {
    const std::size_t for_one = std::size_t{model.nr_commands} * model.state_words * sizeof(Word);
    const std::size_t bytes = std::clamp(budget.limit() / 256, least_bytes, most_bytes);
    return for_one ? std::clamp<std::size_t>(bytes / for_one, 1, most_sources) : most_sources;
}

} // namespace

bool represent(const asset_model &model, const Options &options, Word *state) {
    if (!options.symmetry || !model.representatives)
        return true;
    const std::vector<Word> before(state, state + model.state_words);
    asset_fault fault{};
    model.representatives(state, 1, &fault);
    if (fault.code)
        std::ranges::copy(before, state);
    return !fault.code;
}

Successors::Successors(Budget &budget, const asset_model &model, const Options &options, const Effort &effort,
                       const Widened &widened)
    : model_(model), words_(model.state_words), capacity_(options.in_order ? 1 : suitable_capacity(budget, model)),
      symmetry_(options.symmetry && model.representatives), idle_steps_(options.idle_steps),
      only_changes_(options.derived && options.only_changes), effort_(effort), widened_(widened),
      matters_(options.derived ? options.matters : std::vector<bool>()),
      visible_(options.derived ? options.visible : std::vector<bool>()), leaving_(capacity_), postponing_(capacity_),
      chosen_(model.nr_commands), keys_(model.nr_commands), choices_(model.nr_commands) {
    if (options.stubborn)
        stubborn_.emplace(budget, model, options.idle_steps);
    if (options.derived)
        derived_.emplace(*options.derived, visible_);
    const std::size_t most_edges = capacity_ * model.nr_commands;
    const std::size_t fact_words = RuleTables::words_for(model.nr_facts);
    const std::size_t in_words = (most_edges + 1) * words_ + fact_words;
    const std::size_t in_halves = most_edges + 1 + 3 * capacity_;
    region_ = Region(budget, in_words * sizeof(Word) + in_halves * sizeof(std::uint32_t), Filling::least);
    successors_ = region_.as<Word>();
    fired_ = successors_ + most_edges * words_;
    facts_ = fired_ + words_;
    commands_ = reinterpret_cast<std::uint32_t *>(facts_ + fact_words);
    degrees_ = commands_ + most_edges + 1;
    enabled_ = degrees_ + capacity_;
    terminal_ = enabled_ + capacity_;
}

void Successors::expand(const Arena &arena, Range sources, Sets sets) {
    expand_as_they_are(arena, sources, sets);
    if (symmetry_)
        take_representatives();
}

void Successors::expand(const Word *sources, std::size_t count) {
    sources_ = sources;
    count_ = count;
    fault_.reset();
    if (stubborn_)
        fire_stubborn(0, Sets::found);
    else
        fire_all();
    find_terminal();
    if (symmetry_)
        take_representatives();
}

void Successors::expand_as_they_are(const Arena &arena, Range sources, Sets sets) {
    sources_ = arena.states(sources, unfolded_);
    count_ = sources.count;
    fault_.reset();
    if (widened_.empty() && sets == Sets::widened)
        sets = Sets::found;
    if (stubborn_ && sets != Sets::everything)
        fire_stubborn(sources.first, sets);
    else
        fire_all();
    find_terminal();
    if (derived_)
        leave_out(sources.first, sets);
}

void Successors::fire_all() {
    asset_fault fault{};
    named_ = model_.named_successors;
    edges_ = model_.named_successors
                 ? model_.named_successors(sources_, count_, successors_, degrees_, commands_, &fault)
                 : model_.successors(sources_, count_, successors_, degrees_, &fault);
    if (fault.code)
        fault_ = Fault{fault.state, During::firing, fault.number};
}

void Successors::find_terminal() {
    const Word *after = successors_;
    for (std::size_t i = 0; i < complete(); ++i) {
        const Word *end = after + degrees_[i] * words_;
        const Word *step = idle_steps_ ? after : end;
        for (const Word *each = after; step == end && each < end; each += words_)
            if (*each != *source(i) || !std::equal(each, each + words_, source(i)))
                step = each;
        terminal_[i] = step == end;
        after = end;
    }
}

// Leaves out the successors by commands outside the stubborn sets. A source with a fault has none then: which commands
// are enabled there is not known.
void Successors::leave_out(Id first, Sets sets) {
    const std::size_t sources = complete();
    if (only_changes_)
        leave_idle_out();
    weak_ = false;
    std::copy_n(degrees_, sources, enabled_);
    std::fill_n(leaving_.begin(), count_, std::uint8_t{0});
    std::fill_n(postponing_.begin(), count_, std::uint8_t{0});
    const bool full = matters_.empty() && effort_.all_full({first, static_cast<Id>(count_)});
    if ((sets == Sets::everything || full) && !fault_)
        return;
    if (fault_)
        enabled_[sources] = degrees_[sources] = 0;
    std::size_t from = 0;
    edges_ = 0;
    for (std::size_t i = 0; i < sources; from += enabled_[i++]) {
        const bool some = chooses(i, first + static_cast<Id>(i), from, sets);
        take_chosen(i, from, some);
    }
}

// Leaves out the successors that are their sources, before they are counted as enabled.
void Successors::leave_idle_out() {
    edges_ = 0;
    for (std::size_t i = 0, edge = 0; i < complete(); ++i) {
        const std::size_t end = edge + std::exchange(degrees_[i], 0);
        for (; edge < end; ++edge)
            if (!std::equal(source(i), source(i) + words_, successor(edge))) {
                move(edge, edges_++);
                ++degrees_[i];
            }
    }
}

// The successors of the source, whose edges begin here, by all commands or by those that were chosen. A set with an
// enabled visible command has all of them (V).
void Successors::take_chosen(std::size_t i, std::size_t first_edge, bool some) {
    bool shows = false, left = false;
    degrees_[i] = 0;
    for (std::size_t edge = first_edge; edge < first_edge + enabled_[i]; ++edge)
        if (!matters(commands_[edge])) {
            continue;
        } else if (!some || chosen(commands_[edge])) {
            shows |= !visible_.empty() && visible_[commands_[edge]];
            move(edge, edges_++);
            ++degrees_[i];
        } else {
            left = true;
        }
    leaving_[i] = left;
    weak_ &= left; // if nothing is left out, nothing is outside the set
    postponing_[i] = some && !shows && !has_all_visible_ && degrees_[i] < enabled_[i];
}

// Whether only what is chosen is fired in the source, whose edges begin here.
bool Successors::chooses(std::size_t i, Id id, std::size_t first_edge, Sets sets) {
    weak_ = false;
    if (enabled_[i] <= 1 || (!effort_.never_full() && effort_.full(id)))
        return false;
    const std::size_t choices = find_choices(i, first_edge);
    if (choices < 2)
        return false;
    choose(i, {choices_.data(), choices}, sets == Sets::found ? std::span<const std::uint32_t>() : widened_.of(id));
    return true;
}

// Those that matter and change the source, in decreasing order; how many. If a formula is to be preserved, a step that
// changes nothing is a run that stays for ever.
std::size_t Successors::find_choices(std::size_t i, std::size_t first_edge) {
    std::size_t count = 0;
    for (std::size_t edge = first_edge; edge < first_edge + enabled_[i]; ++edge)
        if (matters(commands_[edge]) &&
            (!visible_.empty() || !std::equal(source(i), source(i) + words_, successor(edge))))
            choices_[count++] = commands_[edge];
    return count;
}

// A set by the rules, which has what it must have besides.
void Successors::choose(std::size_t i, std::span<const std::uint32_t> choices, std::span<const std::uint32_t> more) {
    if (model_.facts)
        model_.facts(source(i), 1, facts_);
    derived_->choose(source(i), facts_, choices);
    has_all_visible_ = derived_->has_all_visible();
    weak_ = derived_->weak() || (derived_->may_be_weak() && !more.empty()); // what it is widened by is no key
    for (std::uint32_t command = 0; weak_ && command < model_.nr_commands; ++command)
        keys_[command] = derived_->key(command);
    widening_ = !more.empty();
    for (std::uint32_t command = 0; widening_ && command < model_.nr_commands; ++command)
        chosen_[command] = derived_->chosen(command);
    for (const std::uint32_t needed : more) {
        if (needed == every_command)
            weak_ = false;
        else
            derived_->choose(source(i), facts_, choices, needed);
        for (std::uint32_t command = 0; command < model_.nr_commands; ++command)
            chosen_[command] = chosen_[command] || needed == every_command || derived_->chosen(command);
    }
}

void Successors::move(std::size_t from, std::size_t to) {
    if (from == to)
        return;
    std::copy_n(successor(from), words_, successors_ + to * words_);
    commands_[to] = commands_[from];
}

std::uint64_t Successors::enabled(std::size_t sources) const {
    return derived_ ? std::accumulate(enabled_, enabled_ + sources, std::uint64_t{0}) : first_edge(sources);
}

void Successors::fire_stubborn(Id first, Sets sets) {
    edges_ = 0;
    named_ = true;
    for (std::size_t i = 0; i < count_ && !fault_; ++i) {
        const StubbornSets::Fired fired = stubborn_->fire(source(i), successors_ + edges_ * words_, commands_ + edges_);
        edges_ += degrees_[i] = fired.count;
        leaving_[i] = 1;
        if (fired.faulty != none)
            fault_ = Fault{i, fired.during, fired.faulty};
        else if (sets == Sets::widened)
            if (const auto more = widened_.of(first + static_cast<Id>(i)); !more.empty())
                fire_widened(i, more);
    }
}

// The commands of the set that was fired, and whatever a set with `more` needs: the last number first.
void Successors::fire_widened(std::size_t i, std::span<const std::uint32_t> more) {
    edges_ -= degrees_[i];
    leaving_[i] = std::ranges::find(more, every_command) == more.end();
    chosen_.assign(model_.nr_commands, false);
    for (std::size_t edge = 0; edge < degrees_[i]; ++edge)
        chosen_[commands_[edges_ + edge]] = true;
    for (const std::uint32_t command : more)
        stubborn_->close(source(i), command, chosen_);
    degrees_[i] = 0;
    for (std::uint32_t command = model_.nr_commands; command-- > 0;) {
        if (!chosen_[command])
            continue;
        std::copy_n(source(i), words_, successors_ + edges_ * words_);
        const std::int32_t enabled = model_.fire(successors_ + edges_ * words_, command);
        if (enabled < 0) {
            fault_ = Fault{i, During::firing, command};
            return;
        }
        if (enabled) {
            commands_[edges_++] = command;
            ++degrees_[i];
        }
    }
}

// A fault here is before that of a command, which is later in the same source or in a later one.
void Successors::take_representatives() {
    asset_fault fault{};
    model_.representatives(successors_, edges_, &fault);
    if (!fault.code)
        return;
    const std::size_t source = source_of(fault.state);
    fault_ = Fault{source, During::representative, commands(fault.state + 1)[fault.state]};
    degrees_[source] = static_cast<std::uint32_t>(fault.state - first_edge(source));
    edges_ = fault.state;
}

std::size_t Successors::source_of(std::size_t edge) const {
    std::size_t source = 0;
    for (std::size_t before = degrees_[0]; before <= edge; before += degrees_[++source]) {
    }
    return source;
}

std::size_t Successors::first_edge(std::size_t source) const {
    return std::accumulate(degrees_, degrees_ + source, std::size_t{0});
}

const std::uint32_t *Successors::commands(std::size_t edges) {
    if (named_)
        return commands_;
    std::size_t named = 0;
    for (std::size_t i = 0; named < edges; ++i)
        for (std::uint32_t command = model_.nr_commands; command-- > 0 && named < edges;) {
            std::copy_n(source(i), words_, fired_);
            if (model_.fire(fired_, command) == 1)
                commands_[named++] = command;
        }
    return commands_;
}

} // namespace asset

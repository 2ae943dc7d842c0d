#include "successors.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace asset {
namespace {

constexpr std::size_t most_sources = 128;
constexpr std::size_t successor_bytes = std::size_t{1} << 20; // room for successors, unless one source needs more

std::size_t suitable_capacity(const asset_model &model) {
    const std::size_t for_one = std::size_t{model.nr_commands} * model.state_words * sizeof(Word);
    return for_one ? std::clamp<std::size_t>(successor_bytes / for_one, 1, most_sources) : most_sources;
}

} // namespace

Successors::Successors(Budget &budget, const asset_model &model, const Options &options, const Effort &effort)
    : model_(model), words_(model.state_words), capacity_(options.in_order ? 1 : suitable_capacity(model)),
      symmetry_(options.symmetry && model.representatives), effort_(effort) {
    if (options.stubborn)
        stubborn_.emplace(budget, model);
    if (options.derived)
        derived_.emplace(*options.derived);
    const std::size_t most_edges = capacity_ * model.nr_commands;
    const std::size_t fact_words = RuleTables::words_for(model.nr_facts);
    const std::size_t in_words = (most_edges + 1) * words_ + fact_words;
    const std::size_t in_halves = most_edges + 1 + 2 * capacity_;
    region_ = Region(budget, in_words * sizeof(Word) + in_halves * sizeof(std::uint32_t));
    successors_ = region_.as<Word>();
    fired_ = successors_ + most_edges * words_;
    facts_ = fired_ + words_;
    commands_ = reinterpret_cast<std::uint32_t *>(facts_ + fact_words);
    degrees_ = commands_ + most_edges + 1;
    enabled_ = degrees_ + capacity_;
}

void Successors::expand(const Arena &arena, Range sources) {
    sources_ = arena[sources.first];
    count_ = sources.count;
    fault_.reset();
    if (stubborn_)
        fire_stubborn();
    else
        fire_all();
    if (derived_)
        leave_out(sources.first);
    if (symmetry_)
        take_representatives();
}

void Successors::fire_all() {
    asset_fault fault{};
    edges_ = model_.named_successors
                 ? model_.named_successors(sources_, count_, successors_, degrees_, commands_, &fault)
                 : model_.successors(sources_, count_, successors_, degrees_, &fault);
    if (fault.code)
        fault_ = Fault{fault.state, During::firing, fault.number};
}

// Leaves out the successors by commands outside the stubborn sets. A source with a fault has none then: which commands
// are enabled there is not known.
void Successors::leave_out(Id first) {
    const std::size_t sources = complete();
    std::copy_n(degrees_, sources, enabled_);
    if (effort_.all_full({first, static_cast<Id>(count_)}) && !fault_)
        return;
    if (fault_)
        enabled_[sources] = degrees_[sources] = 0;
    std::size_t from = 0;
    edges_ = 0;
    for (std::size_t i = 0; i < sources; from += enabled_[i++]) {
        const bool choose = enabled_[i] > 1 && (effort_.never_full() || !effort_.full(first + static_cast<Id>(i)));
        if (choose) {
            if (model_.facts)
                model_.facts(source(i), 1, facts_);
            derived_->choose(source(i), facts_, {commands_ + from, enabled_[i]});
        }
        degrees_[i] = 0;
        for (std::size_t edge = from; edge < from + enabled_[i]; ++edge)
            if (!choose || derived_->chosen(commands_[edge])) {
                move(edge, edges_++);
                ++degrees_[i];
            }
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

void Successors::fire_stubborn() {
    edges_ = 0;
    for (std::size_t i = 0; i < count_ && !fault_; ++i) {
        const StubbornSets::Fired fired = stubborn_->fire(source(i), successors_ + edges_ * words_, commands_ + edges_);
        edges_ += degrees_[i] = fired.count;
        if (fired.faulty != none)
            fault_ = Fault{i, fired.during, fired.faulty};
    }
}

void Successors::expand_left_out(const Arena &arena, Id state) {
    expand(arena, {state, 1});
    if (fault_)
        return;
    std::vector<bool> fired(model_.nr_commands);
    const std::uint32_t *commands = this->commands(edges_);
    for (std::size_t edge = 0; edge < edges_; ++edge)
        fired[commands[edge]] = true;
    edges_ = 0;
    for (std::uint32_t command = model_.nr_commands; command-- > 0 && !fault_;) {
        if (fired[command])
            continue;
        Word *after = successors_ + edges_ * words_;
        std::copy_n(source(0), words_, after);
        const std::int32_t enabled = model_.fire(after, command);
        if (enabled < 0)
            fault_ = Fault{0, During::firing, command};
        else if (enabled)
            commands_[edges_++] = command;
    }
    degrees_[0] = static_cast<std::uint32_t>(edges_);
    if (symmetry_)
        take_representatives();
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
    if (stubborn_ || model_.named_successors)
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

#include "successors.h"

#include <algorithm>
#include <numeric>

namespace asset {
namespace {

constexpr std::size_t most_sources = 128;
constexpr std::size_t successor_bytes = std::size_t{1} << 20; // room for successors, unless one source needs more

std::size_t suitable_capacity(const asset_model &model) {
    const std::size_t for_one = std::size_t{model.nr_commands} * model.state_words * sizeof(Word);
    return for_one ? std::clamp<std::size_t>(successor_bytes / for_one, 1, most_sources) : most_sources;
}

} // namespace

Successors::Successors(Budget &budget, const asset_model &model, const Options &options)
    : model_(model), words_(model.state_words), capacity_(options.in_order ? 1 : suitable_capacity(model)),
      symmetry_(options.symmetry && model.representatives) {
    if (options.stubborn)
        stubborn_.emplace(budget, model);
    const std::size_t most_edges = capacity_ * model.nr_commands;
    const std::size_t in_words = (most_edges + 1) * words_;
    const std::size_t in_halves = most_edges + capacity_;
    region_ = Region(budget, in_words * sizeof(Word) + in_halves * sizeof(std::uint32_t));
    successors_ = region_.as<Word>();
    fired_ = successors_ + most_edges * words_;
    commands_ = reinterpret_cast<std::uint32_t *>(fired_ + words_);
    degrees_ = commands_ + most_edges;
}

void Successors::expand(const Word *sources, std::size_t count) {
    sources_ = sources;
    count_ = count;
    fault_.reset();
    if (stubborn_)
        fire_stubborn();
    else
        fire_all();
    if (symmetry_)
        take_representatives();
}

void Successors::fire_all() {
    asset_fault fault{};
    edges_ = model_.successors(sources_, count_, successors_, degrees_, &fault);
    if (fault.code)
        fault_ = Fault{fault.state, During::firing, fault.command};
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
    if (stubborn_)
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

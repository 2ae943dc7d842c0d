#include "batch.h"

#include <bit>

namespace asset {
namespace {

constexpr std::uint64_t all_hold = ~std::uint64_t{0};
constexpr std::size_t most_sources = 128;
constexpr std::size_t successor_bytes = std::size_t{1} << 20; // room for successors, unless one source needs more

std::size_t suitable_capacity(const asset_model &model) {
    const std::size_t for_one = std::size_t{model.nr_commands} * model.state_words * sizeof(Word);
    return for_one ? std::clamp<std::size_t>(successor_bytes / for_one, 1, most_sources) : most_sources;
}

} // namespace

Batch::Batch(Budget &budget, const asset_model &model)
    : model_(model), words_(model.state_words), capacity_(suitable_capacity(model)) {
    const std::size_t most_edges = capacity_ * model.nr_commands;
    const std::size_t in_words = (most_edges + capacity_) * words_ + capacity_;
    const std::size_t in_halves = most_edges + 2 * capacity_;
    region_ = Region(budget, in_words * sizeof(Word) + in_halves * sizeof(std::uint32_t));
    successors_ = region_.as<Word>();
    gathered_ = successors_ + most_edges * words_;
    labels_ = gathered_ + capacity_ * words_;
    new_ = reinterpret_cast<std::uint32_t *>(labels_ + capacity_);
    degrees_ = new_ + most_edges;
    candidates_ = degrees_ + capacity_;
}

void Batch::expand(const Word *sources, std::size_t count) {
    sources_ = sources;
    count_ = count;
    nr_new_ = 0;
    fault_.code = 0;
    edges_ = model_.successors(sources, count, successors_, degrees_, &fault_);
}

std::uint64_t Batch::nr_terminal(std::size_t sources) const {
    return static_cast<std::uint64_t>(std::count(degrees_, degrees_ + sources, 0u));
}

std::optional<Event> Batch::first_event(const Options &options, std::uint64_t room) {
    const bool limited = nr_new_ > room;
    const std::size_t counted = limited ? room : nr_new_;
    std::optional<Event> first = invariant_event(options.checked[ASSET_INVARIANT], counted);
    if (!first && limited)
        first = limit_event(counted);
    if (!first && fault_.code)
        first = fault_event();
    // A terminal source has no edges: what happens in an earlier source, or at an edge of one, is before it.
    std::optional<Event> terminal = terminal_event(options.checked[ASSET_TERMINAL]);
    return terminal && (!first || terminal->source < first->source) ? terminal : first;
}

std::optional<Finding> Batch::wrong_with(const Word *state, std::uint64_t checked) {
    gather(0, state);
    std::optional<Bad> bad = checked ? first_bad(1, ASSET_INVARIANT, checked) : std::nullopt;
    return bad ? std::optional(std::move(bad->finding)) : std::nullopt;
}

std::optional<Event> Batch::invariant_event(std::uint64_t checked, std::size_t nr_new) {
    if (!checked)
        return std::nullopt;
    for (std::size_t done = 0; done < nr_new;) {
        const std::size_t count = std::min(capacity_, nr_new - done);
        for (std::size_t i = 0; i < count; ++i)
            gather(i, successor(new_[done + i]));
        if (std::optional<Bad> bad = first_bad(count, ASSET_INVARIANT, checked)) {
            const std::size_t edge = new_[done + bad->state];
            const std::size_t source = source_of(edge);
            return Event{.source = source,
                         .expanded = source,
                         .edges = edge + 1,
                         .states = done + bad->state + 1,
                         .finding = std::move(bad->finding),
                         .in_successor = true};
        }
        done += count;
    }
    return std::nullopt;
}

std::optional<Event> Batch::terminal_event(std::uint64_t checked) {
    if (!checked)
        return std::nullopt;
    std::size_t found = 0;
    for (std::size_t source = 0; source < nr_expanded(); ++source)
        if (degrees_[source] == 0) {
            candidates_[found] = static_cast<std::uint32_t>(source);
            gather(found++, sources_ + source * words_);
        }
    std::optional<Bad> bad = first_bad(found, ASSET_TERMINAL, checked);
    if (!bad)
        return std::nullopt;
    const std::size_t source = candidates_[bad->state];
    std::size_t edges = 0;
    for (std::size_t i = 0; i < source; ++i)
        edges += degrees_[i];
    return Event{.source = source,
                 .expanded = source + 1,
                 .edges = edges,
                 .states = new_before(edges),
                 .finding = std::move(bad->finding)};
}

Event Batch::limit_event(std::size_t nr_new) const {
    const std::size_t edge = new_[nr_new]; // leads to the state that is one too many
    const std::size_t source = source_of(edge);
    return Event{.stop = Stop::max_states, .source = source, .expanded = source, .edges = edge, .states = nr_new};
}

Event Batch::fault_event() const {
    return Event{.source = fault_.state,
                 .expanded = fault_.state,
                 .edges = edges_,
                 .states = nr_new_,
                 .finding = Finding{.failing = static_cast<std::int64_t>(fault_.command)}};
}

std::optional<Batch::Bad> Batch::first_bad(std::size_t count, int kind, std::uint64_t checked) {
    if (count == 0)
        return std::nullopt;
    asset_fault fault{};
    std::fill_n(labels_, count, all_hold); // for a model that leaves the label of a faulty state as it was
    model_.labels[kind](gathered_, count, labels_, &fault);
    const std::size_t labelled = fault.code ? fault.state : count;
    if (fault.code) // what is after the faulty property was not evaluated
        labels_[labelled] |= all_hold << fault.command;
    for (std::size_t i = 0; i < labelled + (fault.code != 0); ++i)
        if (const std::uint64_t violated = checked & ~labels_[i])
            return Bad{i, Finding{.kind = kind, .index = static_cast<std::uint32_t>(std::countr_zero(violated))}};
    if (fault.code)
        return Bad{labelled, Finding{.index = fault.command, .evaluating = kind}};
    return std::nullopt;
}

void Batch::gather(std::size_t position, const Word *state) {
    std::copy_n(state, words_, gathered_ + position * words_);
}

std::size_t Batch::source_of(std::size_t edge) const {
    std::size_t source = 0;
    for (std::size_t before = degrees_[0]; before <= edge; before += degrees_[++source]) {
    }
    return source;
}

std::size_t Batch::new_before(std::size_t edge) const {
    return static_cast<std::size_t>(std::lower_bound(new_, new_ + nr_new_, edge) - new_);
}

} // namespace asset

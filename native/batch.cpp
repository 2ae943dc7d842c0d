#include "batch.h"

#include <bit>

namespace asset {
namespace {

constexpr std::uint64_t all_hold = ~std::uint64_t{0};
constexpr Wrong violated_kind[] = {Wrong::invariant, Wrong::terminal};

} // namespace

Batch::Batch(Budget &budget, const asset_model &model, const Options &options, const Effort &effort)
    : model_(model), words_(model.state_words), successors_(budget, model, options, effort) {
    const std::size_t most_edges = capacity() * model.nr_commands;
    const std::size_t in_words = capacity() * (words_ + 1);
    const std::size_t in_halves = most_edges + capacity();
    region_ = Region(budget, in_words * sizeof(Word) + in_halves * sizeof(std::uint32_t));
    gathered_ = region_.as<Word>();
    labels_ = gathered_ + capacity() * words_;
    new_ = reinterpret_cast<std::uint32_t *>(labels_ + capacity());
    candidates_ = new_ + most_edges;
}

std::uint64_t Batch::nr_terminal(std::size_t sources) const {
    std::uint64_t result = 0;
    for (std::size_t source = 0; source < sources; ++source)
        result += successors_.degree(source) == 0;
    return result;
}

std::optional<Event> Batch::first_event(const Options &options, std::uint64_t room) {
    const bool limited = nr_new_ > room;
    const std::size_t counted = limited ? room : nr_new_;
    std::optional<Event> first = invariant_event(options.checked[ASSET_INVARIANT], counted);
    if (!first && limited)
        first = limit_event(counted);
    if (!first && successors_.fault())
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
        const std::size_t count = std::min(capacity(), nr_new - done);
        for (std::size_t i = 0; i < count; ++i)
            gather(i, successor(new_[done + i]));
        if (std::optional<Bad> bad = first_bad(count, ASSET_INVARIANT, checked)) {
            const std::size_t edge = new_[done + bad->state];
            const std::size_t source = successors_.source_of(edge);
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
    for (std::size_t source = 0; source < successors_.complete(); ++source)
        if (successors_.degree(source) == 0) {
            candidates_[found] = static_cast<std::uint32_t>(source);
            gather(found++, successors_.source(source));
        }
    std::optional<Bad> bad = first_bad(found, ASSET_TERMINAL, checked);
    if (!bad)
        return std::nullopt;
    const std::size_t source = candidates_[bad->state];
    const std::size_t edges = successors_.first_edge(source);
    return Event{.source = source,
                 .expanded = source + 1,
                 .edges = edges,
                 .states = new_before(edges),
                 .finding = std::move(bad->finding)};
}

Event Batch::limit_event(std::size_t nr_new) const {
    const std::size_t edge = new_[nr_new]; // leads to the state that is one too many
    const std::size_t source = successors_.source_of(edge);
    return Event{.stop = Stop::max_states, .source = source, .expanded = source, .edges = edge, .states = nr_new};
}

Event Batch::fault_event() const {
    const Fault &fault = *successors_.fault();
    return Event{.source = fault.source,
                 .expanded = fault.source,
                 .edges = edges(),
                 .states = nr_new_,
                 .finding = Finding{.during = fault.during, .command = fault.command}};
}

std::optional<Batch::Bad> Batch::first_bad(std::size_t count, int kind, std::uint64_t checked) {
    if (count == 0)
        return std::nullopt;
    asset_fault fault{};
    model_.labels[kind](gathered_, count, labels_, &fault);
    const std::size_t labelled = fault.code ? fault.state : count;
    if (fault.code) // what is after the faulty property was not evaluated
        labels_[labelled] |= all_hold << fault.command;
    for (std::size_t i = 0; i < labelled + (fault.code != 0); ++i)
        if (const std::uint64_t violated = checked & ~labels_[i]) {
            const auto index = static_cast<std::uint32_t>(std::countr_zero(violated));
            return Bad{i, Finding{.wrong = violated_kind[kind], .index = index}};
        }
    if (fault.code)
        return Bad{labelled, Finding{.index = fault.command, .during = During::property, .kind = kind}};
    return std::nullopt;
}

void Batch::gather(std::size_t position, const Word *state) {
    std::copy_n(state, words_, gathered_ + position * words_);
}

std::size_t Batch::new_before(std::size_t edge) const {
    return static_cast<std::size_t>(std::lower_bound(new_, new_ + nr_new_, edge) - new_);
}

} // namespace asset

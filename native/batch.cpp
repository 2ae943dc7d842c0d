#include "batch.h"

namespace asset {

Batch::Batch(Budget &budget, const asset_model &model, const Options &options, const Effort &effort,
             const Widened &widened)
    : words_(model.state_words), successors_(budget, model, options, effort, widened),
      in_states_(model, options.in_states), in_terminal_states_(model, options.in_terminal_states) {
    const std::size_t most_edges = capacity() * model.nr_commands;
    const std::size_t in_halves = most_edges + capacity();
    const std::size_t bytes = capacity() * words_ * sizeof(Word) + in_halves * sizeof(std::uint32_t);
    region_ = Region(budget, bytes, bytes > huge_page ? Filling::least : Filling::most);
    gathered_ = region_.as<Word>();
    new_ = reinterpret_cast<std::uint32_t *>(gathered_ + capacity() * words_);
    candidates_ = new_ + most_edges;
}

std::uint64_t Batch::nr_terminal(std::size_t sources) const {
    std::uint64_t result = 0;
    for (std::size_t source = 0; source < sources; ++source)
        result += successors_.terminal(source);
    return result;
}

std::optional<Event> Batch::first_event(std::uint64_t room) {
    const bool limited = nr_new_ > room;
    const std::size_t counted = limited ? room : nr_new_;
    std::optional<Event> first = state_event(counted);
    if (!first && limited)
        first = limit_event(counted);
    if (!first && successors_.fault())
        first = fault_event();
    // What happens in an earlier source, or at an edge of a source, which is idle if that is terminal, is before it.
    std::optional<Event> terminal = terminal_event();
    return terminal && (!first || terminal->source < first->source) ? terminal : first;
}

std::optional<Finding> Batch::wrong_with(const Word *state) {
    std::optional<Violation> bad = in_states_.first_violation(state, 1);
    return bad ? std::optional(std::move(bad->finding)) : std::nullopt;
}

std::optional<Event> Batch::state_event(std::size_t nr_new) {
    if (in_states_.empty())
        return std::nullopt;
    for (std::size_t done = 0; done < nr_new;) {
        const std::size_t count = std::min(capacity(), nr_new - done);
        for (std::size_t i = 0; i < count; ++i)
            gather(i, successor(new_[done + i]));
        if (std::optional<Violation> bad = in_states_.first_violation(gathered_, count)) {
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

std::optional<Event> Batch::terminal_event() {
    if (in_terminal_states_.empty())
        return std::nullopt;
    std::size_t found = 0;
    for (std::size_t source = 0; source < successors_.complete(); ++source)
        if (successors_.terminal(source)) {
            candidates_[found] = static_cast<std::uint32_t>(source);
            gather(found++, successors_.source(source));
        }
    std::optional<Violation> bad = in_terminal_states_.first_violation(gathered_, found);
    if (!bad)
        return std::nullopt;
    const std::size_t source = candidates_[bad->state];
    const std::size_t edges = successors_.first_edge(source + 1);
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

void Batch::gather(std::size_t position, const Word *state) {
    std::copy_n(state, words_, gathered_ + position * words_);
}

std::size_t Batch::new_before(std::size_t edge) const {
    return static_cast<std::size_t>(std::lower_bound(new_, new_ + nr_new_, edge) - new_);
}

} // namespace asset

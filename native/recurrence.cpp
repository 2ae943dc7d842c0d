#include "recurrence.h"

namespace asset {
namespace {

std::vector<bool> members(const std::vector<std::uint32_t> &commands, std::uint32_t nr_commands) {
    std::vector<bool> result(nr_commands);
    for (const std::uint32_t command : commands)
        result[command] = true;
    return result;
}

} // namespace

RecurrenceCheck::RecurrenceCheck(Budget &budget, const Graph &graph, const std::atomic<bool> &interrupted)
    : budget_(budget), graph_(graph), interrupted_(interrupted), then_(budget, graph.edges()),
      again_(budget, graph.edges()), components_(budget, graph, interrupted) {}

void RecurrenceCheck::name_edges(const RecurrenceRequirement &recurrence, const Arena &arena, Successors &successors) {
    const std::vector<bool> again = members(recurrence.again, successors.nr_commands());
    const std::vector<bool> then = members(recurrence.then, successors.nr_commands());
    Edge edge = 0;
    for_each_batch(arena, successors.capacity(), [&](Range sources) {
        if (interrupted_.load(std::memory_order_relaxed))
            throw Interrupted();
        successors.expand(arena, sources);
        const std::uint32_t *commands = successors.commands(successors.edges());
        for (std::size_t i = 0; i < successors.edges(); ++i, ++edge)
            if (then[commands[i]])
                then_.set(edge);
            else if (again[commands[i]])
                again_.set(edge);
    });
}

std::optional<Id> RecurrenceCheck::first_lost() {
    std::optional<Id> first;
    const auto among = [](Id) { return true; };
    const auto through = [&](Edge edge) { return !then_[edge]; };
    const auto recurs = [&](Id id) {
        for (Edge edge = graph_.first_edge(id); edge < graph_.end_edge(id); ++edge)
            if (again_[edge] && components_.together(id, graph_.target(edge)))
                return true;
        return false;
    };
    for (Id id = 0; id < graph_.ids(); ++id)
        if (!components_.visited(id))
            components_.search_from(id, among, through, [&](std::span<const Id> members) {
                const Id earliest = *std::min_element(members.begin(), members.end());
                if ((!first || earliest < *first) && std::any_of(members.begin(), members.end(), recurs))
                    first = earliest;
            });
    return first;
}

// In layer 1, a command of `again` has been fired.
Lasso RecurrenceCheck::cycle_through(Id state) {
    Breadth breadth(budget_, graph_, 2);
    breadth.begin(state);
    for (std::size_t i = 0;; ++i) {
        const Breadth::Node from = breadth.node(i);
        for (Edge edge = graph_.first_edge(from.state); edge < graph_.end_edge(from.state); ++edge) {
            const Id target = graph_.target(edge);
            const bool to = from.layer || again_[edge];
            if (then_[edge] || !components_.together(target, state) || !breadth.meet(edge, from.layer, to))
                continue;
            if (target == state && to)
                return {breadth.path_to({state, true}), 0};
        }
    }
}

} // namespace asset

#include "recurrence.h"

#include "commands.h"

namespace asset {
namespace {

std::vector<bool> members(const std::vector<std::uint32_t> &commands, std::uint32_t nr_commands) {
    std::vector<bool> result(nr_commands);
    for (const std::uint32_t command : commands)
        result[command] = true;
    return result;
}

} // namespace

RecurrenceCheck::RecurrenceCheck(const Space &space, const Graph &graph, const GraphRequirement &required)
    : space_(space), graph_(graph), then_(space.budget, graph.edges()), again_(space.budget, graph.edges()),
      product_(graph, without_, space.budget, space.interrupted), components_(product_, {space.budget, graph.ids()}) {
    name_edges(required);
}

void RecurrenceCheck::name_edges(const GraphRequirement &required) {
    const std::vector<bool> again = members(required.commands[0], space_.model.nr_commands);
    const std::vector<bool> then = members(required.commands[1], space_.model.nr_commands);
    Commands(space_).for_each_edge([&](Edge edge, std::uint32_t command) {
        if (then[command])
            then_.set(edge);
        else if (again[command])
            again_.set(edge);
    });
}

std::optional<Id> RecurrenceCheck::first_lost() {
    using State = Vertex<true>;
    std::optional<Id> first;
    const auto among = [](const State &) { return true; };
    const auto recurs = [&](const State &state) {
        return product_.visit(
            state, [&](Edge edge, const State &next) { return again_[edge] && components_.together(state, next); });
    };
    for (Id id = 0; id < graph_.ids(); ++id)
        if (!components_.visited({id}))
            components_.search_from({id}, among, [&](std::span<const State> members) {
                const Id earliest = std::ranges::min(members, {}, &State::state).state;
                if ((!first || earliest < *first) && std::ranges::any_of(members, recurs))
                    first = earliest;
            });
    return first;
}

Lasso RecurrenceCheck::cycle_through(Id state) const {
    const Fired fired{then_, again_};
    const Product product(graph_, fired, space_.budget, space_.interrupted);
    Breadth ways(product);
    const Vertex<false> start{state, 0}, end{state, 1};
    const auto among = [&](const Vertex<false> &vertex) { return components_.together({vertex.state}, {state}); };
    ways.search({&start, 1}, among, [&](const Vertex<false> &vertex) { return vertex == end; });
    return {ways.path_to(ways.size() - 1), 0};
}

} // namespace asset

#include "renamings.h"

#include <map>
#include <numeric>
#include <stdexcept>

namespace asset {

Renamings::Renamings(const Space &space, const Graph &graph, const Followed &followed, const IdleEdges *idle)
    : model_(space.model), followed_(followed), idle_(idle), meanings_(followed.meanings),
      all_(every_mode >> (64 - followed.meanings)), of_edges_(space.budget), steps_(64) {
    std::string same(meanings_, '\0');
    std::iota(same.begin(), same.end(), '\0');
    number(same);
    for (std::size_t first = 0; first < followed.images.size(); first += meanings_)
        single_.push_back(
            number(std::string(followed.images.begin() + static_cast<std::ptrdiff_t>(first),
                               followed.images.begin() + static_cast<std::ptrdiff_t>(first + meanings_))));
    find_starts(space);
    of_edges_.make_room(graph.edges());
    annotate(space, graph.edges());
}

// The representatives of the start states are the first states that were found, in their order.
void Renamings::find_starts(const Space &space) {
    std::map<std::vector<Word>, Id> ids;
    const std::vector<Word> &starts = space.options.starts;
    for (auto start = starts.begin(); start != starts.end(); start += model_.state_words) {
        std::vector<Word> state(start, start + model_.state_words);
        const std::uint8_t meaning = actions_[std::size_t{action_to_representative(state.data())} * meanings_];
        asset_fault fault{};
        model_.representatives(state.data(), 1, &fault);
        const Id id = ids.try_emplace(std::move(state), static_cast<Id>(ids.size())).first->second;
        starts_.push_back({id, meaning});
    }
}

// The successors as they are, before their representatives are taken, are those that the edges of the graph stand for,
// in the same order.
void Renamings::annotate(const Space &space, Edge edges) {
    Successors &successors = space.successors;
    for_each_batch(space.arena, successors.capacity(), [&](Range sources) {
        space.heed_interrupt();
        successors.expand_as_they_are(space.arena, sources);
        for (std::size_t edge = 0; edge < successors.edges(); ++edge)
            of_edges_.push_back(action_to_representative(successors.successor(edge)));
    });
    if (of_edges_.size() != edges)
        throw std::logic_error("the edges of the quotient are not those that are fired again");
}

std::uint32_t Renamings::action_to_representative(const Word *state) {
    std::size_t count;
    while ((count = model_.steps(state, steps_.data(), steps_.size() - 1)) >= steps_.size())
        steps_.resize(2 * count);
    switch (count) {
    case 0:
        return 0;
    case 1:
        return single_[steps_[0]];
    default:
        return composed({steps_.data(), count});
    }
}

std::uint32_t Renamings::composed(std::span<const std::uint32_t> steps) {
    std::string action(meanings_, '\0');
    for (unsigned meaning = 0; meaning < meanings_; ++meaning) {
        std::uint8_t image = static_cast<std::uint8_t>(meaning);
        for (const std::uint32_t step : steps)
            image = followed_.images[std::size_t{step} * meanings_ + image];
        action[meaning] = static_cast<char>(image);
    }
    return number(action);
}

std::uint32_t Renamings::number(const std::string &action) {
    const auto [known, added] = numbers_.try_emplace(action, static_cast<std::uint32_t>(numbers_.size()));
    if (added)
        actions_.insert(actions_.end(), action.begin(), action.end());
    return known->second;
}

} // namespace asset

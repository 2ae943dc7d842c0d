#include "postponing.h"

namespace asset {

std::vector<Widening> Postponing::look(Id ids) {
    read(ids);
    std::vector<Widening> found;
    Components<WidenedGraph> components(graph_, {space_.budget, ids});
    const auto among = [&](const Member &member) { return leaves_out_[member.state] != 0; };
    for (Id id = 0; id < ids; ++id)
        if (leaves_out_[id] && !components.visited({id}))
            components.search_from({id}, among, [&](std::span<const Member> members) { decide(members, found); });
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.state < b.state; });
    return found;
}

std::vector<Widening> Postponing::look(std::span<const Id> widened, Id ids) {
    for (const Id id : widened)
        leaves_out_[id] = 0;
    return look(ids);
}

// Finds out which sets leave visible commands out, of the states that were not known before.
void Postponing::read(Id ids) {
    const Id known = static_cast<Id>(leaves_out_.size());
    leaves_out_.make_room(ids - known);
    while (leaves_out_.size() < ids)
        leaves_out_.push_back(0);
    Successors &successors = space_.successors;
    for_each_batch(
        space_.arena, successors.capacity(),
        [&](Range states) {
            graph_.heed_interrupt();
            successors.expand(space_.arena, states);
            for (Id i = 0; i < states.count; ++i)
                leaves_out_[states.first + i] = successors.leaves_visible_out(i);
        },
        known);
}

// Clears a component if it has no cycle; no later cycle goes through it.
void Postponing::decide(std::span<const Member> members, std::vector<Widening> &found) {
    const Id only = members[0].state;
    const std::span<const Id> targets = graph_.successors(only);
    if (members.size() == 1 && std::find(targets.begin(), targets.end(), only) == targets.end()) {
        leaves_out_[only] = 0;
        return;
    }
    Id first = only;
    for (const Member &member : members)
        first = std::min(first, member.state);
    found.push_back(widening(first));
}

// By the first visible command that is enabled, which brings all others into the set; or by everything.
Widening Postponing::widening(Id state) {
    Successors &successors = space_.successors;
    successors.expand(space_.arena, {state, 1}, Sets::everything);
    const std::uint32_t *commands = successors.commands(successors.edges());
    std::uint32_t least = every_command;
    for (std::size_t edge = 0; edge < successors.edges(); ++edge)
        if (space_.options.visible[commands[edge]])
            least = std::min(least, commands[edge]);
    return {state, least};
}

} // namespace asset

#include "ignoring.h"

namespace asset {

Graph WidenedGraph::written() const {
    Graph result(space_.budget);
    for (Id id = 0; id < graph_.ids(); ++id) {
        const std::span<const Id> targets = successors(id);
        result.make_room(1, targets.size());
        std::copy(targets.begin(), targets.end(), result.targets());
        result.add(id, static_cast<std::uint32_t>(targets.size()));
    }
    result.finish(graph_.ids());
    return result;
}

void KeySteps::begin(Id ids) {
    if (!weak_)
        return;
    known_.make_room(ids - known_.size());
    while (known_.size() < ids)
        known_.push_back(Known::nothing);
}

std::span<const Id> KeySteps::looked_up(Id id) const {
    const std::span<const Id> targets = graph_.successors(id);
    known_[id] = Known::all;
    if (targets.size() < 2)
        return targets;
    Successors &successors = space_.successors;
    successors.expand(space_.arena, {id, 1});
    const std::uint32_t *commands = successors.commands(successors.edges());
    std::vector<Id> found;
    for (std::size_t edge = 0; edge < targets.size(); ++edge)
        if (successors.is_key(commands[edge]))
            found.push_back(targets[edge]);
    if (found.size() == targets.size())
        return targets;
    known_[id] = Known::some;
    return some_[id] = std::move(found);
}

std::vector<Widening> Ignoring::look(Id ids) {
    begin(ids);
    sweep(ids);
    std::vector<Widening> found;
    Search components(steps_, {space_.budget, ids});
    for (Id id = 0; id < ids && !faulty_; ++id)
        look_from(id, components, found);
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.state < b.state; });
    return found;
}

std::vector<Widening> Ignoring::look(std::span<const Id> widened, Id ids) {
    const Id known = static_cast<Id>(settled_.size());
    begin(ids);
    for (const Id id : widened)
        steps_.forget(id);
    std::vector<Widening> found;
    Search components(steps_, {space_.budget, ids});
    for (const Id id : widened)
        if (!faulty_)
            look_from(id, components, found);
    for (Id id = known; id < ids && !faulty_; ++id)
        look_from(id, components, found);
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.state < b.state; });
    return found;
}

void Ignoring::begin(Id ids) {
    steps_.begin(ids);
    settled_.make_room(ids - settled_.size());
    while (settled_.size() < ids)
        settled_.push_back(0);
}

// Most edges lead to states found later, so going from the last state to the first settles most of what leads to
// terminal states, and reads memory in order.
void Ignoring::sweep(Id ids) {
    for (Id id = ids; id-- > 0;) {
        if (id % 1024 == 0)
            graph_.heed_interrupt();
        settled_[id] = settles(id);
    }
}

// Whether it is terminal, or a key step leads to a settled state. One step is a key step, so if all steps lead to such,
// it makes no difference which.
bool Ignoring::settles(Id id) const {
    const auto is_settled = [&](Id target) { return settled_[target] != 0; };
    const std::span<const Id> targets = graph_.successors(id);
    if (std::all_of(targets.begin(), targets.end(), is_settled))
        return true;
    if (std::none_of(targets.begin(), targets.end(), is_settled))
        return false;
    const std::span<const Id> keys = steps_.successors(id);
    return std::any_of(keys.begin(), keys.end(), is_settled);
}

void Ignoring::look_from(Id root, Search &components, std::vector<Widening> &found) {
    if (settled_[root] || components.visited({root}))
        return;
    components.search_from(
        {root}, [&](const Member &member) { return !settled_[member.state]; },
        [&](std::span<const Member> members) { decide(members, components, found); });
}

// Settles a component if it can be; else, if it is terminal, says what to widen.
void Ignoring::decide(std::span<const Member> members, const Search &components, std::vector<Widening> &found) {
    bool leaves = false, settles = false;
    for (const Member &member : members)
        for (const Id target : steps_.successors(member.state)) {
            leaves |= !components.together(member, {target});
            settles |= settled_[target] != 0;
        }
    std::optional<Widening> widening;
    if (!leaves && !faulty_)
        widening = ignored(members);
    if (widening)
        found.push_back(*widening);
    if (settles || (!leaves && !widening))
        for (const Member &member : members)
            settled_[member.state] = 1;
}

// A command that a terminal component ignores, and the state to widen: what is left out of one of its states, and
// fired in none. Symmetries rename commands: with them, a state where nothing is left out must be there.
std::optional<Widening> Ignoring::ignored(std::span<const Member> members) {
    std::vector<Id> sorted;
    for (const Member &member : members)
        sorted.push_back(member.state);
    std::sort(sorted.begin(), sorted.end());
    if (space_.options.symmetry)
        return least_left_out(sorted);
    std::vector<std::uint32_t> left = left_out(sorted.front());
    for (std::size_t i = 1; i < sorted.size() && !left.empty(); ++i) {
        graph_.heed_interrupt();
        note_fired(sorted[i]);
        std::erase_if(left, [&](std::uint32_t command) { return fired_[command]; });
    }
    return left.empty() ? std::nullopt : std::optional(Widening{sorted.front(), left.back()});
}

std::optional<Widening> Ignoring::least_left_out(std::span<const Id> members) {
    std::optional<Widening> best;
    std::size_t least = ~std::size_t{0};
    for (const Id member : members) {
        graph_.heed_interrupt();
        const std::size_t count = left_out(member).size();
        if (faulty_ || count == 0)
            return std::nullopt;
        if (count < least) {
            least = count;
            best = Widening{member, every_command};
        }
    }
    return best;
}

// The commands that matter and would change the state, but are not fired there, last number first.
std::vector<std::uint32_t> Ignoring::left_out(Id state) {
    Successors &successors = space_.successors;
    note_fired(state);
    successors.expand(space_.arena, {state, 1}, Sets::everything);
    std::vector<std::uint32_t> left;
    if (successors.fault()) {
        faulty_ = Faulty{state, *successors.fault()};
        return left;
    }
    const std::size_t words = space_.model.state_words;
    const std::uint32_t *commands = successors.commands(successors.edges());
    for (std::size_t edge = 0; edge < successors.edges(); ++edge)
        if (!fired_[commands[edge]] && successors.matters(commands[edge]) &&
            !std::equal(successors.source(0), successors.source(0) + words, successors.successor(edge)))
            left.push_back(commands[edge]);
    return left;
}

void Ignoring::note_fired(Id state) {
    Successors &successors = space_.successors;
    successors.expand(space_.arena, {state, 1});
    const std::uint32_t *commands = successors.commands(successors.edges());
    fired_.assign(fired_.size(), false);
    for (std::size_t edge = 0; edge < successors.edges(); ++edge)
        fired_[commands[edge]] = true;
}

} // namespace asset

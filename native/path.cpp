#include "path.h"

#include <stdexcept>

namespace asset {

void Tracer::trace(std::size_t level, const Word *last, Finding &finding) {
    std::vector<Step> back;
    for (const Word *state = last; level > 0; state = arena_.state(back.back().state, room_)) {
        back.push_back(parent(level, state));
        level = levels_.level_of(back.back().state);
    }
    finding.commands.assign(1, none);
    finding.states.clear();
    const auto add = [&](const Word *state) { finding.states.insert(finding.states.end(), state, state + words_); };
    for (auto step = back.rbegin(); step != back.rend(); ++step) {
        finding.commands.push_back(step->command);
        add(arena_.state(step->state, room_));
    }
    add(last);
    finding.whole = true;
}

void Tracer::append(Id from, std::size_t edge, Finding &finding) {
    successors_.expand(arena_, {from, 1});
    finding.commands.push_back(successors_.commands(edge + 1)[edge]);
    finding.states.insert(finding.states.end(), successors_.successor(edge), successors_.successor(edge + 1));
}

Tracer::Step Tracer::parent(std::size_t level, const Word *target) {
    std::optional<Step> found;
    if (const std::vector<Id> *widened = levels_.widened_before(level)) {
        for (auto state = widened->begin(); state != widened->end() && !found; ++state)
            found = parent({*state, 1}, Sets::widened, target);
    } else {
        found = parent(levels_.level(level - 1), Sets::found, target);
    }
    if (!found)
        throw std::logic_error("a model that is not a function: a state is no longer a successor of its predecessor");
    return *found;
}

std::optional<Tracer::Step> Tracer::parent(Range states, Sets sets, const Word *target) {
    while (states.count) {
        const Id count =
            std::min({states.count, arena_.contiguous(states.first), static_cast<Id>(successors_.capacity())});
        successors_.expand(arena_, {states.first, count}, sets);
        for (std::size_t edge = 0; edge < successors_.edges(); ++edge)
            if (equal(successors_.successor(edge), target))
                return Step{states.first + static_cast<Id>(successors_.source_of(edge)),
                            successors_.commands(edge + 1)[edge]};
        states.first += count;
        states.count -= count;
    }
    return std::nullopt;
}

} // namespace asset

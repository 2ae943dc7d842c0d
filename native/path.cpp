#include "path.h"

#include <stdexcept>

namespace asset {

void Tracer::trace(std::span<const Id> levels, const Word *last, Finding &finding) {
    const std::size_t length = levels.empty() ? 0 : levels.size() - 1;
    finding.commands.assign(length + 1, none);
    finding.states.resize((length + 1) * words_);
    std::copy_n(last, words_, &finding.states[length * words_]);
    for (std::size_t step = length; step > 0; --step) {
        const Step before = parent(levels[step - 1], levels[step], &finding.states[step * words_]);
        finding.commands[step] = before.command;
        std::copy_n(before.state, words_, &finding.states[(step - 1) * words_]);
    }
}

void Tracer::append(Id from, std::size_t edge, Finding &finding) {
    successors_.expand(arena_, {from, 1});
    finding.commands.push_back(successors_.commands(edge + 1)[edge]);
    finding.states.insert(finding.states.end(), successors_.successor(edge), successors_.successor(edge + 1));
}

Tracer::Step Tracer::parent(Id first, Id end, const Word *target) {
    while (first < end) {
        const Id count = std::min({end - first, arena_.contiguous(first), static_cast<Id>(successors_.capacity())});
        successors_.expand(arena_, {first, count});
        for (std::size_t edge = 0; edge < successors_.edges(); ++edge)
            if (equal(successors_.successor(edge), target))
                return {successors_.source(successors_.source_of(edge)), successors_.commands(edge + 1)[edge]};
        first += count;
    }
    throw std::logic_error("a model that is not a function: a state is no longer a successor of its predecessor");
}

} // namespace asset

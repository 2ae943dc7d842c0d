#include "path.h"

#include <stdexcept>

namespace asset {

void Tracer::trace(std::span<const Id> levels, const Word *last, Finding &finding) {
    const std::size_t words = model_.state_words;
    const std::size_t length = levels.empty() ? 0 : levels.size() - 1;
    finding.commands.assign(length + 1, none);
    finding.states.resize((length + 1) * words);
    std::copy_n(last, words, &finding.states[length * words]);
    for (std::size_t step = length; step > 0; --step) {
        const Word *successor = &finding.states[step * words];
        const Word *state = parent(levels[step - 1], levels[step], successor);
        finding.commands[step] = command(state, successor);
        std::copy_n(state, words, &finding.states[(step - 1) * words]);
    }
}

const Word *Tracer::parent(Id first, Id end, const Word *target) {
    while (first < end) {
        const Id count = std::min({end - first, arena_.contiguous(first), static_cast<Id>(batch_.capacity())});
        batch_.expand(arena_[first], count);
        for (std::size_t edge = 0; edge < batch_.edges(); ++edge)
            if (equal(batch_.successor(edge), target))
                return arena_[first + static_cast<Id>(batch_.source_of(edge))];
        first += count;
    }
    throw std::logic_error("a model that is not a function: a state is no longer a successor of its predecessor");
}

std::int64_t Tracer::command(const Word *state, const Word *successor) const {
    std::vector<Word> fired(model_.state_words);
    for (std::uint32_t command = model_.nr_commands; command-- > 0;) {
        std::copy_n(state, fired.size(), fired.data());
        if (model_.fire(fired.data(), command) == 1 && equal(fired.data(), successor))
            return command;
    }
    throw std::logic_error("a model that is not a function: successors and fire disagree");
}

} // namespace asset

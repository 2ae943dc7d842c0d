#include "disk_graph.h"

#include <stdexcept>

namespace asset {

DiskGraph::DiskGraph(Budget &memory, Budget &files, const Explored &explored)
    : memory_(memory), words_(explored.model.state_words), arena_(files, words_),
      space_{explored.model, explored.options, files, explored.interrupted, arena_, explored.successors, unfolded_},
      graph_(files) {
    read_states(explored.levels);
    build(linked(edges_by_targets()));
}

void DiskGraph::read_states(const std::vector<Run> &levels) {
    Arena::Writer writer(arena_);
    for (const Run &level : levels) {
        for (RunReader states(memory_, level, words_, block_of(memory_, 1)); states.front(); states.pop()) {
            space_.heed_interrupt(states.ready());
            writer.write<0>(states.front());
            writer.commit();
        }
        writer.publish();
        std::vector<Range> found;
        writer.collect(found);
        levels_.refill(found, arena_, space_.successors.capacity());
    }
}

// Each state with its number.
std::vector<Run> DiskGraph::numbered_states() const {
    Sorter sorter(memory_, space_.options.spill, words_ + 1);
    std::vector<Word> record(words_ + 1);
    for_each_batch(arena_, space_.successors.capacity(), [&](Range states) {
        heed_interrupt();
        for (Id i = 0; i < states.count; ++i) {
            std::copy_n(arena_[states.first + i], words_, record.data());
            record[words_] = states.first + i;
            sorter.add(record.data());
        }
    });
    return sorter.take();
}

// What each edge leads to, with its source and its number there.
std::vector<Run> DiskGraph::edges_by_targets() const {
    Sorter sorter(memory_, space_.options.spill, words_ + 1);
    std::vector<Word> record(words_ + 1);
    Successors &successors = space_.successors;
    for_each_batch(arena_, successors.capacity(), [&](Range sources) {
        heed_interrupt();
        successors.expand(arena_, sources);
        std::size_t edge = 0;
        for (Id i = 0; i < sources.count; ++i)
            for (std::uint32_t number = 0; number < successors.degree(i); ++number) {
                std::copy_n(successors.successor(edge++), words_, record.data());
                record[words_] = Word{sources.first + i} << 32 | number;
                sorter.add(record.data());
            }
    });
    return sorter.take();
}

// The edges in their order: source and number, then the number of the state that it leads to.
std::vector<Run> DiskGraph::linked(const std::vector<Run> &edges) const {
    const std::vector<Run> numbered = numbered_states();
    Sorter sorter(memory_, space_.options.spill, 2);
    const std::size_t block = block_of(memory_, edges.size() + numbered.size() + 3);
    Merging edge(memory_, edges, words_ + 1, block), state(memory_, numbered, words_ + 1, block);
    for (std::size_t count = 0; edge.front(); edge.pop()) {
        if (count++ % (1 << 12) == 0)
            heed_interrupt();
        while (state.front() && compare(state.front(), edge.front(), words_) < 0)
            state.pop();
        if (!state.front() || compare(state.front(), edge.front(), words_) != 0)
            throw std::logic_error("a model that is not a function: a state has another successor than before");
        const Word link[] = {edge.front()[words_], state.front()[words_]};
        sorter.add(link);
    }
    return sorter.take();
}

void DiskGraph::build(const std::vector<Run> &links) {
    Merging link(memory_, links, 2, block_of(memory_, links.size()));
    while (link.front()) {
        const Word source = link.front()[0] >> 32;
        space_.heed_interrupt(source);
        graph_.make_room(1, space_.model.nr_commands);
        std::uint32_t degree = 0;
        for (; link.front() && link.front()[0] >> 32 == source; link.pop())
            graph_.targets()[degree++] = static_cast<Id>(link.front()[1]);
        graph_.add(static_cast<Id>(source), degree);
    }
    graph_.finish(arena_.end());
}

void DiskGraph::heed_interrupt() const { space_.heed_interrupt(); }

} // namespace asset

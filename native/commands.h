// Which command leads along an edge of a graph that was explored, and which commands are enabled in a state. Neither is
// stored: states are expanded again for the checks that ask, and it costs nothing if none does.
#pragma once

#include "progress.h"

namespace asset {

class Commands {
  public:
    explicit Commands(const Space &space) : space_(space) {}

    // Visits every edge of the graph, in their order, with its command. Throws Interrupted.
    template <class Visit> void for_each_edge(const Visit &visit) const {
        Successors &successors = space_.successors;
        Edge edge = 0;
        for_each_batch(space_.arena, successors.capacity(), [&](Range sources) {
            space_.heed_interrupt();
            successors.expand(space_.arena, sources);
            const std::uint32_t *commands = successors.commands(successors.edges());
            for (std::size_t i = 0; i < successors.edges(); ++i)
                visit(edge++, commands[i]);
        });
    }

    // The commands that are enabled in a state, whether they were fired there or not, the last number first.
    std::vector<std::uint32_t> enabled(Id state) const {
        std::vector<std::uint32_t> result;
        std::vector<Word> after(space_.model.state_words);
        for (std::uint32_t command = space_.model.nr_commands; command-- > 0;) {
            std::copy_n(space_.state(state), after.size(), after.data());
            if (space_.model.fire(after.data(), command) == 1)
                result.push_back(command);
        }
        return result;
    }

  private:
    const Space &space_;
};

} // namespace asset

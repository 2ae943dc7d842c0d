// Paths without parents: the levels of a breadth-first search are enough to find back from any of its states.
#pragma once

#include <span>

#include "frontier.h"
#include "successors.h"

namespace asset {

class Tracer {
  public:
    Tracer(const asset_model &model, const Arena &arena, Successors &successors, const Levels &levels)
        : words_(model.state_words), arena_(arena), successors_(successors), levels_(levels) {}

    // Fills in the finding's path, which ends in `last`, a state of the level: the path that parent pointers would have
    // given.
    void trace(std::size_t level, const Word *last, Finding &finding);

    // Adds a step to a path that ends in state `from`: the step that successor number `edge` of that state is.
    void append(Id from, std::size_t edge, Finding &finding);

  private:
    struct Step {
        Id state;
        std::int64_t command;
    };

    // The first state that has `target`, of the level, as a successor; and the command that leads there; of several,
    // the one that is fired first.
    Step parent(std::size_t level, const Word *target);
    std::optional<Step> parent(Range states, Sets sets, const Word *target);

    bool equal(const Word *a, const Word *b) const { return std::equal(a, a + words_, b); }

    const std::size_t words_;
    const Arena &arena_;
    Successors &successors_;
    const Levels &levels_;
    Unfolded room_;
};

} // namespace asset

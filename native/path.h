// Paths without parents: the levels of a breadth-first search are enough to find back from any of its states.
#pragma once

#include <span>

#include "successors.h"

namespace asset {

class Tracer {
  public:
    Tracer(const asset_model &model, const Arena &arena, Successors &successors)
        : words_(model.state_words), arena_(arena), successors_(successors) {}

    // Fills in the finding's path, which ends in `last`: the path that parent pointers would have given. Level i of
    // those before the one of `last` has the states from levels[i] up to levels[i + 1].
    void trace(std::span<const Id> levels, const Word *last, Finding &finding);

    // Adds a step to a path that ends in state `from`: the step that successor number `edge` of that state is.
    void append(Id from, std::size_t edge, Finding &finding);

  private:
    struct Step {
        const Word *state;
        std::int64_t command;
    };

    // The first state with an id from `first` up to `end` that has `target` as a successor, and the command that leads
    // there; of several, the one that is fired first.
    Step parent(Id first, Id end, const Word *target);

    bool equal(const Word *a, const Word *b) const { return std::equal(a, a + words_, b); }

    const std::size_t words_;
    const Arena &arena_;
    Successors &successors_;
};

} // namespace asset

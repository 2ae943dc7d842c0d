// Paths without parents: the levels of a breadth-first search are enough to find back from any of its states.
#pragma once

#include <span>

#include "arena.h"
#include "batch.h"

namespace asset {

class Tracer {
  public:
    Tracer(const asset_model &model, const Arena &arena, Batch &batch) : model_(model), arena_(arena), batch_(batch) {}

    // Fills in the finding's path, which ends in `last`: the path that parent pointers would have given. Level i of
    // those before the one of `last` has the states from levels[i] up to levels[i + 1].
    void trace(std::span<const Id> levels, const Word *last, Finding &finding);

  private:
    // The first state with an id from `first` up to `end` that has `target` as a successor.
    const Word *parent(Id first, Id end, const Word *target);

    // The command that leads from a state to its successor; of several, the one that is fired first.
    std::int64_t command(const Word *state, const Word *successor) const;

    bool equal(const Word *a, const Word *b) const { return std::equal(a, a + model_.state_words, b); }

    const asset_model &model_;
    const Arena &arena_;
    Batch &batch_;
};

} // namespace asset

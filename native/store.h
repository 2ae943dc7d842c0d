// What every store of states offers the search. A store knows which states were found; the arena holds them.
//
//   Store(budget, arena, model)  an empty store for the model's states
//   knows_ids                    whether inserting tells a state's id
//   words                        how many words states have, 0 if that is not known when it is compiled
//   Widths                       if words is 0: for how many words look-ups are compiled (width.h); need not be there
//   hasher()                     a function that gives a state's hash; the same after the store was enlarged
//   with_table(use)              what `use` makes of its table: a small value, of use until the store is enlarged;
//                                then its type may be another
//   enlarge()                    begins to enlarge the table: it is of use again after the following
//   rebuild(part)                for each part from 0 to rebuild_parts(), in any order
//   next_rebuild_round()         after that, whether the parts must be gone through once more
//   threshold()                  with more states than this, it should be enlarged
//   archive(archive)             writes the table, or reads it in the place of this one (snapshot.h)
//   Keys                         what its table knows states by (OwnWords, or those of tree_store.h)
//   numbered(states)             after the search, which found so many: in its place a store whose table can
//                                find(hash, state) the id of a state
//
// And of every table:
//
//   prefetch(hash)               brings the place where the state belongs closer (inlined by force: GCC takes what
//                                only prefetches for a function without effects, and drops the calls)
//   prefetch_candidate(hash)     after that, brings closer what is probably looked at next: an equal state, or a
//                                neighbour of what is full
//   insert(hash, state, writer)  finds the state, or adds it to the table and to the arena
//
// With Parallel, any number of threads may insert, or rebuild, at the same time.
#pragma once

#include <cstdint>

#include "abi.h"
#include "arena.h"

namespace asset {

enum class Insertion { known, added, full };

// What became of a state, and its id if it is in the table and that knows ids (Store::knows_ids).
struct Inserted {
    Insertion how;
    Id id = 0;
};

// A store's table knows states as they are.
class OwnWords {
  public:
    static constexpr bool folds = false;

    static std::size_t root_words(const asset_model &model) { return model.state_words; }

    // Of states of so many words; 0 if that is not known.
    template <std::size_t Words> static constexpr std::size_t key_words = Words;

    template <std::size_t, class Successors, class Edges> bool prepare(const Successors &, const Edges &) {
        return true;
    }
    bool prepare(const Word *) { return true; }
    template <class Successors>
    const Word *operator()(const Successors &successors, std::size_t edge, std::size_t) const {
        return successors.successor(edge);
    }
    const Word *of(const Word *state) const { return state; }
    void publish() {}
};

// Multiplies to 128 bits and folds: a mixing step that makes each bit of the result depend on all of both factors.
constexpr std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

} // namespace asset

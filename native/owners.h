// Which rank of a cluster a state belongs to, and what is on its way to the other ranks.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "arena.h"
#include "simd.h"
#include "store.h"

namespace asset {

// The number of a rank, how many there are, and what says whose a state is: its parities under these masks, each of as
// many words as a state (locality.h), or a hash of the whole state if there are none.
struct Place {
    unsigned number = 0;
    unsigned ranks = 1;
    std::vector<Word> masks{};
};

// The owner of a state. It depends on the state alone, and not on its place in a table, so that the states of a rank
// are spread over all of its table.
class Owners {
  public:
    Owners(Place place, std::size_t words)
        : place_(std::move(place)), words_(words), nr_masks_(static_cast<unsigned>(place_.masks.size() / words)) {}

    // Words is the width of the states if it is known at compile time, else 0.
    template <std::size_t Words = 0> ASSET_INLINE unsigned of(const Word *state) const {
        const std::size_t words = Words ? Words : words_;
        if (nr_masks_ == 0)
            return hashed(state, words);
        std::uint64_t group = 0;
        const Word *mask = place_.masks.data();
        for (unsigned i = 0; i < nr_masks_; ++i, mask += words) {
            Word chosen = 0; // its parity is that of all words
            for (std::size_t word = 0; word < words; ++word)
                chosen ^= state[word] & mask[word];
            group = 2 * group + static_cast<unsigned>(__builtin_parityll(chosen));
        }
        return static_cast<unsigned>(group * place_.ranks >> nr_masks_);
    }

    bool is_mine(const Word *state) const { return place_.ranks == 1 || of(state) == place_.number; }
    const Place &place() const { return place_; }

    // The masks under which all states of a rank have the same parities.
    std::span<const Word> known_parities() const {
        return place_.ranks >> nr_masks_ == 1 && std::has_single_bit(place_.ranks) ? std::span(place_.masks)
                                                                                   : std::span<const Word>();
    }

  private:
    unsigned hashed(const Word *state, std::size_t words) const {
        std::uint64_t hash = 0xa0761d6478bd642fu;
        for (std::size_t i = 0; i < words; ++i)
            hash = fold_multiply(state[i] ^ hash, 0xe7037ed1a0b428dbu);
        return static_cast<unsigned>((static_cast<unsigned __int128>(hash) * place_.ranks) >> 64);
    }

    Place place_;
    std::size_t words_;
    unsigned nr_masks_;
};

// States for each of the other ranks, gathered until there is no room for one of them. Each thread has its own.
class Outbox {
  public:
    // It is full if there are so many messages, of so many words, for one rank; there is room for some more.
    Outbox(Budget &budget, unsigned ranks, std::size_t words, std::size_t room, std::size_t more = 1)
        : words_(words), room_(room), slots_(room + more), counts_(ranks),
          region_(budget, ranks > 1 ? ranks * slots_ * words * sizeof(Word) : sizeof(Word)) {}

    bool full() const { return full_; }

    void add(unsigned owner, const Word *state, std::size_t words) { add_unless<0>(false, owner, state, words); }

    // Nothing is added if it is known; without a branch. Words is what `words` are if that is known at compile time.
    template <std::size_t Words> void add_unless(bool known, unsigned owner, const Word *state, std::size_t words) {
        std::copy_n(state, Words ? Words : words, next(owner));
        counts_[owner] += !known;
        full_ |= counts_[owner] >= room_;
    }

    // The same, with some more words behind it.
    void add(unsigned owner, const Word *state, std::size_t words, std::span<const Word> more) {
        std::ranges::copy(more, next(owner) + words);
        add(owner, state, words);
    }

    std::span<const Word> of(unsigned owner) const { return {box(owner), counts_[owner] * words_}; }

    void clear() {
        std::fill(counts_.begin(), counts_.end(), 0);
        full_ = false;
    }

  private:
    Word *box(unsigned owner) const { return region_.as<Word>() + owner * slots_ * words_; }
    Word *next(unsigned owner) const { return box(owner) + counts_[owner] * words_; }

    const std::size_t words_;
    const std::size_t room_;
    const std::size_t slots_;
    std::vector<std::size_t> counts_; // messages
    bool full_ = false;
    Region region_;
};

} // namespace asset

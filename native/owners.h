// Which rank of a cluster a state belongs to, and what is on its way to the other ranks.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "arena.h"
#include "store.h"

namespace asset {

// The number of a rank, how many there are, and which bits of a state say whose it is: all if there are none
// (locality.h).
struct Place {
    unsigned number = 0;
    unsigned ranks = 1;
    std::vector<Word> bits{};
};

// The owner of a state. It depends on the state alone, and on another hash than its place in a table does, so that the
// states of a rank are spread over all of its table.
class Owners {
  public:
    Owners(Place place, std::size_t words) : place_(std::move(place)) {
        place_.bits.resize(words, place_.bits.empty() ? ~Word{0} : 0);
        for (std::size_t i = 0; i < words; ++i)
            if (place_.bits[i])
                telling_.push_back(i);
    }

    // Words is the width of the states if it is known at compile time, else 0.
    template <std::size_t Words = 0> unsigned of(const Word *state) const {
        std::uint64_t hash = 0xa0761d6478bd642fu;
        if constexpr (Words)
            for (std::size_t i = 0; i < Words; ++i)
                hash = place_.bits[i] ? mixed(hash, state, i) : hash;
        else
            for (const std::size_t i : telling_)
                hash = mixed(hash, state, i);
        return static_cast<unsigned>((static_cast<unsigned __int128>(hash) * place_.ranks) >> 64);
    }

    bool is_mine(const Word *state) const { return place_.ranks == 1 || of(state) == place_.number; }
    const Place &place() const { return place_; }

  private:
    std::uint64_t mixed(std::uint64_t hash, const Word *state, std::size_t i) const {
        return fold_multiply((state[i] & place_.bits[i]) ^ hash, 0xe7037ed1a0b428dbu);
    }

    Place place_;
    std::vector<std::size_t> telling_; // words that have such bits
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

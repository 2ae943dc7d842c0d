// Bits of a rank's states that need not be kept, as they follow from the others and from whose the states are.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "quotient_table.h"

namespace asset {

// States of one word all of which have the same parity under each of some masks. By Gaussian elimination each mask has
// a bit that is in no other: it is what the parity of the mask and the other bits say. So as many bits are left out as
// there are masks that do not follow from each other, and states are still told apart.
class Implied {
  public:
    Implied() = default;

    // Of states of so many bits.
    Implied(std::span<const Word> masks, unsigned bits) {
        if (bits <= 2 * most)
            return; // such states need hardly any memory
        std::array<Word, most> rows{};
        std::transform(masks.begin(), masks.begin() + static_cast<std::ptrdiff_t>(std::min(masks.size(), most)),
                       rows.begin(), [&](Word mask) { return mask & ~Word{0} >> (64 - bits); }); // others are always 0
        Word implied = 0;
        for (Word &row : rows) {
            const Word bit = std::bit_floor(row);
            for (Word &other : rows)
                if (&other != &row && (other & bit))
                    other ^= row;
            implied |= bit;
        }
        count_ = static_cast<unsigned>(std::popcount(implied));
        const Word kept = (Word{1} << (bits - count_)) - 1;
        Word from = ~(implied | kept), to = implied & kept;
        for (; to; to &= to - 1, from &= from - 1)
            moves_[nr_moves_++] = {std::countr_zero(from) - std::countr_zero(to), to & -to};
    }

    unsigned count() const { return count_; }

    // The state without them, in its lower bits; what is above these says nothing.
    ASSET_INLINE Word left_out_of(Word state) const {
        for (unsigned i = 0; i < nr_moves_; ++i)
            state ^= (state ^ state >> moves_[i].distance) & moves_[i].place;
        return state;
    }

  private:
    static constexpr std::size_t most = 4;

    // A bit that is kept, from above, takes the place of one that is not.
    struct Move {
        int distance;
        Word place;
    };

    unsigned count_ = 0;
    unsigned nr_moves_ = 0;
    std::array<Move, most> moves_{};
};

// Hashes the states of one rank (see Mixer).
class MixerOfRank : public Mixer<1> {
  public:
    MixerOfRank(unsigned bits, const Implied &implied) : Mixer<1>(bits - implied.count()), implied_(implied) {}

    ASSET_INLINE std::uint64_t operator()(const Word *state) const {
        const Word kept = implied_.left_out_of(*state);
        return Mixer<1>::operator()(&kept);
    }

  private:
    Implied implied_;
};

} // namespace asset

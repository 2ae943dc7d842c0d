// Wide states in a few words. A state is cut into pieces, and the key that stands for it has the number of each piece's
// value among those that were met at this place (as SPIN's COLLAPSE, Holzmann 1997, has one for each process and
// channel). States are equal if and only if their keys are.
//
// A number has few bits of the key, and gets more when it needs them: such as no number has had, which are 0 in all
// keys so far. So a key stays what it is while the numbers grow.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "arena.h"
#include "search.h"

namespace asset {

// How states are cut, and how many bits each number has at first.
struct Cutting {
    std::vector<bool> halved{};       // for each word of a state whether its halves are pieces of their own
    std::vector<std::uint8_t> bits{}; // for each piece, in the order of its bits in the state
    std::size_t key_words = 0;
    mutable bool full = false; // a search found that keys have no room for a number
};

// The widest keys that there are, in words.
inline constexpr std::size_t widest_key = 4;

// How states are cut if, as far as some states tell, such keys have room for the numbers. Else null, as for a model
// that is to be asked in order.
std::shared_ptr<const Cutting> cutting_that_fits(const asset_model &model, const Options &options);

template <std::size_t KeyWords> class Pieces : public Unfolding {
  public:
    using Shape = std::shared_ptr<const Cutting>;
    using Number = std::uint32_t;
    using Key = std::array<Word, KeyWords>;

    // A piece of a state: bits of one of its words, from a place on. `value` is what they are.
    struct Piece {
        std::uint32_t word;
        std::uint32_t shift;
        Word mask;

        Word value(const Word *state) const { return state[word] >> shift & mask; }
        void set(Word *state, Word value) const { state[word] = (state[word] & ~(mask << shift)) | value << shift; }
    };

    Pieces(Budget &budget, Shape cutting);

    std::size_t words() const { return cutting_->halved.size(); }
    std::size_t count() const { return pieces_.size(); }
    const Piece &operator[](std::size_t piece) const { return pieces_[piece]; }

    // The piece of each half of a word, the lower one first; of a word that is not halved, twice the same.
    std::uint32_t of_half(std::size_t half) const { return of_halves_[half]; }
    bool is_halved(std::size_t word) const { return cutting_->halved[word]; }

    // The bits of a key that a piece has, and what they are for a number.
    const Key &bits(std::size_t piece) const { return places_[piece].bits; }
    Key spread(std::size_t piece, Number number) const {
        Key result{};
        for (const Strip &strip : places_[piece].strips)
            result[strip.word] |= (number >> strip.above & strip.mask) << strip.shift;
        return result;
    }

    // How many values the piece may have before its number needs more bits.
    std::uint64_t capacity(std::size_t piece) const { return places_[piece].capacity(); }
    void set_value(std::size_t piece, Number number, Word value) {
        places_[piece].values.template as<Word>()[number] = value;
    }
    Word value(std::size_t piece, Number number) const { return places_[piece].values.template as<Word>()[number]; }

    // The number of the piece gets more bits, while nobody else works with it. Throws std::bad_alloc if there are none:
    // then the keys are full, and `full` says so.
    void widen(std::size_t piece);

    // Only pieces that differ from those of the state before are looked up.
    const Word *unfold(const Word *keys, Id count, Unfolded &out) const override;

    // Where numbers are in keys, and the values, of which each piece has so many.
    template <class Archive> void archive(Archive &archive, const std::vector<Number> &counts) {
        archive(taken_);
        for (std::size_t piece = 0; piece < count(); ++piece) {
            Place &place = places_[piece];
            archive(place.strips, place.width);
            for (Word &word : place.bits)
                archive(word);
            if (place.strips.empty() || place.width > most_bits || counts[piece] > place.capacity())
                throw SnapshotFailed("it is not a whole checkpoint");
            if constexpr (!Archive::writes)
                place.values = Region(budget_, place.capacity() * sizeof(Word));
            archive.raw(place.values.template as<void>(), counts[piece] * sizeof(Word));
        }
    }

  private:
    static constexpr unsigned key_bits = 64 * KeyWords;
    static constexpr unsigned most_bits = 31; // of a number, to which one can be added

    // Some bits of a number, and where they are in the key.
    struct Strip {
        std::uint32_t word;
        std::uint32_t shift; // in the word
        std::uint32_t above; // so many lower bits of the number
        std::uint32_t width;
        Word mask; // of so many bits
    };

    // Where the number of a piece is in the key, and what its values are.
    struct Place {
        std::vector<Strip> strips;
        Key bits{};
        unsigned width = 0;
        Region values{};

        std::uint64_t capacity() const { return std::uint64_t{1} << width; }

        Number number(const Word *key) const {
            Word number = 0;
            for (const Strip &strip : strips)
                number |= (key[strip.word] >> strip.shift & strip.mask) << strip.above;
            return static_cast<Number>(number);
        }
        bool differs(const Key &difference) const {
            Word any = 0;
            for (std::size_t word = 0; word < KeyWords; ++word)
                any |= difference[word] & bits[word];
            return any != 0;
        }
    };

    void add_bits(Place &place, unsigned width);

    Budget &budget_;
    const Shape cutting_;
    std::vector<Piece> pieces_;
    std::vector<std::uint32_t> of_halves_;
    std::vector<Place> places_;
    unsigned taken_ = 0; // bits of the key
};

} // namespace asset

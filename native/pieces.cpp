#include "pieces.h"

#include <algorithm>
#include <bit>
#include <new>
#include <numeric>
#include <utility>

#include "sample.h"

namespace asset {
namespace {

constexpr std::size_t sample_words = 1 << 13; // looking at them takes a millisecond

// Runs that are short see few of the values that pieces have: in the end numbers had up to 1.75 times as many bits.
constexpr unsigned spare_percent = 180;

// A number that grows gets two bits at once while it has few: so numbers are in few strips.
constexpr unsigned few_bits = 10;

std::size_t nr_different(std::vector<Word> values) {
    std::ranges::sort(values);
    return values.size() - std::ranges::unique(values).size();
}

// How many values bits of a word have in a sample.
std::size_t nr_values(const Sample &sample, std::size_t word, unsigned shift, Word mask) {
    std::vector<Word> values;
    for (std::size_t i = 0; i < sample.size(); ++i)
        values.push_back(sample.state(i)[word] >> shift & mask);
    return nr_different(std::move(values));
}

std::uint8_t bits_for(std::size_t values) { return static_cast<std::uint8_t>(std::bit_width(values)); }

constexpr unsigned half = 32; // bits of a word

constexpr Word mask_of(unsigned width) { return width < 64 ? (Word{1} << width) - 1 : ~Word{0}; }

} // namespace

// A word of which hardly any value comes again tells that its halves vary independently of each other.
std::shared_ptr<const Cutting> cutting_that_fits(const asset_model &model, const Options &options) {
    if (options.in_order)
        return nullptr;
    const Sample sample(model, options, std::max<std::size_t>(sample_words / model.state_words, 1));
    auto cutting = std::make_shared<Cutting>();
    for (std::size_t word = 0; word < model.state_words; ++word) {
        const std::size_t whole = nr_values(sample, word, 0, ~Word{0});
        const std::size_t low = nr_values(sample, word, 0, mask_of(half));
        const std::size_t high = nr_values(sample, word, half, mask_of(half));
        cutting->halved.push_back(whole > 4 * std::max(low, high) || 4 * whole > sample.size());
        if (cutting->halved.back())
            cutting->bits.insert(cutting->bits.end(), {bits_for(low), bits_for(high)});
        else
            cutting->bits.push_back(bits_for(whole));
    }
    const unsigned bits = std::accumulate(cutting->bits.begin(), cutting->bits.end(), 0u);
    cutting->key_words = std::max<std::size_t>(bits * spare_percent / 100 / 64 + 1, 2);
    return cutting->key_words <= widest_key ? cutting : nullptr;
}

template <std::size_t KeyWords>
Pieces<KeyWords>::Pieces(Budget &budget, Shape cutting) : budget_(budget), cutting_(std::move(cutting)) {
    for (std::uint32_t word = 0; word < words(); ++word)
        for (std::uint32_t shift = 0; shift < 64; shift += half) {
            if (shift == 0 || is_halved(word))
                pieces_.push_back({word, shift, mask_of(is_halved(word) ? half : 64)});
            of_halves_.push_back(static_cast<std::uint32_t>(pieces_.size() - 1));
        }
    places_.resize(pieces_.size());
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
        add_bits(places_[piece], cutting_->bits[piece]);
        places_[piece].values = Region(budget, places_[piece].capacity() * sizeof(Word));
    }
}

template <std::size_t KeyWords> void Pieces<KeyWords>::widen(std::size_t piece) {
    Place &place = places_[piece];
    add_bits(place, std::min(place.width < few_bits ? 2u : 1u, std::max(key_bits - taken_, 1u)));
    place.values.extend(place.capacity() * sizeof(Word));
}

// A strip does not go on in the next word.
template <std::size_t KeyWords> void Pieces<KeyWords>::add_bits(Place &place, unsigned width) {
    cutting_->full = taken_ + width > key_bits || place.width + width > most_bits;
    if (cutting_->full)
        throw std::bad_alloc();
    do {
        const unsigned word = std::min<unsigned>(taken_ / 64, KeyWords - 1), shift = taken_ % 64;
        const unsigned some = std::min(width, 64 - shift);
        Strip *last = place.strips.empty() ? nullptr : &place.strips.back();
        if (last && last->word == word && last->shift + last->width == shift) {
            last->width += some;
            last->mask = mask_of(last->width);
        } else {
            place.strips.push_back({word, shift, place.width, some, mask_of(some)});
        }
        place.bits[word] |= mask_of(some) << shift;
        place.width += some;
        taken_ += some;
        width -= some;
    } while (width);
}

template <std::size_t KeyWords> const Word *Pieces<KeyWords>::unfold(const Word *keys, Id count, Unfolded &out) const {
    out.make_room(count, words(), 0);
    out.set_roots(keys);
    Key difference{};
    for (Id i = 0; i < count; ++i, keys += KeyWords) {
        Word *state = out.state(i);
        if (i) {
            std::copy_n(out.state(i - 1), words(), state);
            for (std::size_t word = 0; word < KeyWords; ++word)
                difference[word] = keys[word] ^ (keys - KeyWords)[word];
        }
        for (std::size_t piece = 0; piece < pieces_.size(); ++piece)
            if (const Place &place = places_[piece]; i == 0 || place.differs(difference))
                pieces_[piece].set(state, value(piece, place.number(keys)));
    }
    return out.state(0);
}

template class Pieces<2>;
template class Pieces<3>;
template class Pieces<4>;

} // namespace asset

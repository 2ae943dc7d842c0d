#include "rows.h"

#include <algorithm>
#include <vector>

#include "sample.h"
#include "simd.h"

namespace asset {
namespace {

constexpr std::size_t block = 32;             // words of a row that are compared at once
constexpr std::size_t sample_words = 1 << 14; // looking at them takes a millisecond

template <class Values> std::size_t nr_different(Values values) {
    std::ranges::sort(values);
    return values.size() - std::ranges::unique(values).size();
}

// The lowest bits are set, so many of them as there are numbers, or all.
std::uint64_t all_of(std::size_t numbers) {
    return numbers < 2 * block ? (std::uint64_t{1} << numbers) - 1 : ~std::uint64_t{0};
}

} // namespace

bool Rows::pay(const asset_model &model, const Options &options) {
    if (options.in_order)
        return true;
    const Sample sample(model, options, std::max<std::size_t>(sample_words / model.state_words, 1));
    std::vector<std::vector<Word>> states;
    std::vector<Word> words;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        states.emplace_back(sample.state(i), sample.state(i) + model.state_words);
        words.insert(words.end(), states.back().begin(), states.back().end());
    }
    return 4 * nr_different(std::move(words)) <= model.state_words * nr_different(std::move(states));
}

const Word *Rows::unfold(const Word *rows, Id count, Unfolded &out) const {
    const std::size_t width = row_words(words_);
    out.make_room(count, words_, 0);
    out.set_roots(rows);
    for (Id i = 0; i < count; ++i) {
        if (i)
            std::copy_n(out.state(i - 1), words_, out.state(i));
        for (std::size_t first = 0; first < width; first += block) {
            const Word *row = rows + i * width + first;
            const std::uint64_t places =
                i ? differing_halves(row - width, row, std::min(block, width - first)) : all_of(words_ - 2 * first);
            look_up(row, places, out.state(i) + 2 * first);
        }
    }
    return out.state(0);
}

// The words at the places whose bits are set.
void Rows::look_up(const Word *row, std::uint64_t places, Word *state) const {
    for (; places; places &= places - 1) {
        const auto place = static_cast<std::size_t>(std::countr_zero(places));
        const Id number = static_cast<Id>(row[place / 2] >> (place % 2 * 32));
        state[place] = *values_[number - 1];
    }
}

} // namespace asset

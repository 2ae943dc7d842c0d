// A store of wide states as rows of numbers (rows.h).
//
// A row is half as long as the state: it is hashed, compared and written in half the time. Of a successor, only words
// that differ from the source's are looked up, and most of them were met a moment ago.
#pragma once

#include "forest.h"
#include "rows.h"
#include "simd.h"
#include "successors.h"

namespace asset {

// Makes rows of the successors of a batch. Each thread has its own.
template <bool Parallel> class Collapsing {
  public:
    static constexpr bool folds = true;
    using Parts = Rows;
    using Nodes = Forest<Rows, Parallel>;

    static std::size_t root_words(const asset_model &model) { return Rows::row_words(model.state_words); }
    static std::size_t shape(const asset_model &model, const Options &) { return model.state_words; }

    explicit Collapsing(Nodes &forest)
        : forest_(forest), numbers_(forest), words_(forest.parts.words()), width_(Rows::row_words(words_)) {}

    // Afterwards the rows of the successors from one edge up to another are known. False if the table of words is full:
    // it must be enlarged, and then this is to be called again.
    bool prepare(const Successors &successors, std::size_t first, std::size_t end) {
        if (forest_.crowded())
            return false;
        begin(first, end);
        std::size_t source = first < end ? successors.source_of(first) : 0;
        std::size_t last = successors.first_edge(source + 1);
        bool done = true;
        for (std::size_t edge = first; done && edge < end; ++edge) {
            while (edge >= last)
                last += successors.degree(++source);
            Word *row = row_of(edge);
            for (std::size_t i = 0; i < width_; ++i) // not std::copy_n, which is a call
                row[i] = successors.roots()[source * width_ + i];
            for (std::size_t from = 0; from < words_; from += block)
                compare(successors.source(source) + from, successors.successor(edge) + from,
                        std::min(block, words_ - from), row + from / 2);
            if (edge % together == 0)
                done = numbers_.answer(set);
        }
        return done && numbers_.answer(set);
    }

    // The same for one state, which has no source.
    bool prepare(const Word *state) {
        if (forest_.crowded())
            return false;
        begin(0, 1);
        std::fill_n(row_of(0), width_, Word{0});
        for (std::size_t word = 0; word < words_; ++word) {
            const Id number = numbers_.look_up(state[word]);
            if (!number)
                return false;
            set({row_of(0), word}, number);
        }
        return true;
    }

    const Word *operator()(const Successors &, std::size_t edge) const { return &rows_[(edge - first_) * width_]; }
    const Word *of(const Word *) const { return rows_.data(); }

    // Makes the words added so far visible to a rebuild.
    void publish() { numbers_.publish(); }

  private:
    static constexpr std::size_t block = 32;    // words that are compared at once
    static constexpr std::size_t together = 64; // successors whose words are looked up at once

    // Of a row.
    struct Place {
        Word *row;
        std::size_t number;
    };

    void begin(std::size_t first, std::size_t end) {
        numbers_.begin();
        first_ = first;
        if (rows_.size() < (end - first) * width_)
            rows_.resize((end - first) * width_);
    }

    Word *row_of(std::size_t edge) { return &rows_[(edge - first_) * width_]; }

    // So many words of a source and a successor; the part of the row is the source's.
    ASSET_INLINE void compare(const Word *before, const Word *after, std::size_t words, Word *row) {
        const std::uint64_t halves = differing_halves(before, after, words);
        for (std::uint64_t left = (halves | halves >> 1) & lower_halves; left; left &= left - 1) {
            const std::size_t number = static_cast<std::size_t>(std::countr_zero(left)) / 2;
            numbers_.ask(after[number], {row, number});
        }
    }

    static constexpr std::uint64_t lower_halves = 0x5555555555555555u;

    static void set(const Place &place, Id number) {
        Word &two = place.row[place.number / 2];
        const unsigned shift = place.number % 2 * 32;
        two = (two & ~(Word{0xffffffff} << shift)) | Word{number} << shift;
    }

    Nodes &forest_;
    NodeNumbers<Nodes, Place> numbers_;
    const std::size_t words_;
    const std::size_t width_; // of a row
    std::size_t first_ = 0;
    std::vector<Word> rows_; // by edge, from the first on
};

template <bool Parallel> class CollapsedStore : public FoldedStore<Collapsing<Parallel>, IndexedStore<0, Parallel>> {
    using FoldedStore<Collapsing<Parallel>, IndexedStore<0, Parallel>>::FoldedStore;
};

} // namespace asset

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

    template <std::size_t Words> static constexpr std::size_t key_words = Rows::row_words(Words);
    static std::size_t root_words(const asset_model &model) { return Rows::row_words(model.state_words); }
    static std::size_t shape(const asset_model &model, const Options &) { return model.state_words; }

    explicit Collapsing(Nodes &forest)
        : forest_(forest), numbers_(forest), words_(forest.parts.words()), width_(Rows::row_words(words_)) {}

    // Afterwards the rows of the successors to which these edges lead, in increasing order, are known. False if the
    // table of words is full: it must be enlarged, and then this is to be called again. Words is the width of the
    // states if it is known when this is compiled, else 0.
    template <std::size_t Words, class Edges>
    ASSET_INLINE bool prepare(const Successors &successors, const Edges &edges) {
        const std::size_t words = Words ? Words : words_;
        const std::size_t width = Words ? Rows::row_words(Words) : width_;
        if (forest_.crowded())
            return false;
        begin(edges.size());
        Sources sources(successors);
        bool done = true;
        for (std::size_t i = 0; done && i < edges.size(); ++i) {
            const std::size_t edge = edges[i], source = sources.of(edge);
            Word *row = &rows_[i * width];
            const Word *after = successors.successor(edge);
            copy_words(successors.roots() + source * width, row, width);
            for_each_differing(successors.source(source), after, words,
                               [&](std::size_t word) ASSET_INLINED { numbers_.find(after[word], {row, word}, set); });
            if (i % together == 0)
                done = numbers_.look_up_others(set);
        }
        return done && numbers_.look_up_others(set);
    }

    // The same for one state, which has no source.
    bool prepare(const Word *state) {
        if (forest_.crowded())
            return false;
        begin(1);
        std::fill_n(row_of(0), width_, Word{0});
        for (std::size_t word = 0; word < words_; ++word) {
            const Id number = numbers_.look_up(state[word]);
            if (!number)
                return false;
            set({row_of(0), word}, number);
        }
        return true;
    }

    const Word *operator()(const Successors &, std::size_t, std::size_t position) const {
        return &rows_[position * width_];
    }
    const Word *of(const Word *) const { return rows_.data(); }

    // Makes the words added so far visible to a rebuild.
    void publish() { numbers_.publish(); }

  private:
    static constexpr std::size_t together = 64; // successors whose words are looked up at once

    // Of a row.
    struct Place {
        Word *row;
        std::size_t number;
    };

    void begin(std::size_t count) {
        numbers_.begin();
        if (rows_.size() < count * width_)
            rows_.resize(count * width_);
    }

    Word *row_of(std::size_t position) { return &rows_[position * width_]; }

    static void set(const Place &place, Id number) {
        Word &two = place.row[place.number / 2];
        const unsigned shift = place.number % 2 * 32;
        two = (two & ~(Word{0xffffffff} << shift)) | Word{number} << shift;
    }

    Nodes &forest_;
    NodeNumbers<Nodes, Place> numbers_;
    const std::size_t words_;
    const std::size_t width_; // of a row
    std::vector<Word> rows_;
};

template <bool Parallel> class CollapsedStore : public FoldedStore<Collapsing<Parallel>, IndexedStore<0, Parallel>> {
  public:
    using FoldedStore<Collapsing<Parallel>, IndexedStore<0, Parallel>>::FoldedStore;
};

} // namespace asset

// Wide states as rows of numbers, one for each word (as SPIN's COLLAPSE, Holzmann 1997, has one for each process and
// channel). A word has few values, so that many states have the same one.
//
// The numbers are those of the values, from 1 on, whatever the place; two are a word of the row. States are equal if
// and only if their rows are.
#pragma once

#include "arena.h"
#include "search.h"

namespace asset {

class Rows : public Unfolding {
  public:
    using Shape = std::size_t; // words of a state

    Rows(Budget &budget, Shape words) : words_(words), values_(budget, 1) {}

    // Whether rows take less memory than states as they are, as far as some states tell. A number takes half a word,
    // and each value two words, with its place in the table of values; so a quarter of the words may be new.
    static bool pay(const asset_model &model, const Options &options);

    static constexpr std::size_t row_words(std::size_t words) { return (words + 1) / 2; }

    std::size_t words() const { return words_; }
    Arena &nodes() { return values_; }

    // Only words that differ from those of the state before are looked up.
    const Word *unfold(const Word *rows, Id count, Unfolded &out) const override;

    template <class Archive> void archive(Archive &archive) const {
        std::uint64_t words = words_;
        archive(words);
        if (words != words_)
            throw SnapshotFailed("its states have another width");
    }

  private:
    void look_up(const Word *row, std::uint64_t places, Word *state) const;

    const std::size_t words_;
    Arena values_;
};

} // namespace asset

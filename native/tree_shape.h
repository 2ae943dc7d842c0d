// Which parts of states are paired with which (tree.h).
//
// A tree costs a node for each different value that two parts have together. So parts that depend on each other should
// meet low, and what varies on its own only at the root. Some states are found by random runs; of all parts, the two
// that have the fewest different values together are paired, again and again, as in Huffman's algorithm.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "search.h"

namespace asset {

// The leaves are the pieces of 32 bits of a state, place 0 the first; behind them are the nodes above, each after those
// that it is above of; the last one is the root.
class TreeShape {
  public:
    using Place = std::uint32_t;
    using Children = std::array<Place, 2>;

    // The places below each place that is not a leaf.
    TreeShape(std::size_t leaves, std::vector<Children> children);

    std::size_t leaves() const { return leaves_; }
    std::size_t places() const { return leaves_ + children_.size() - 1; } // without the root
    const Children &root() const { return children_.back(); }
    const Children &below(Place place) const { return children_[place - leaves_]; }
    bool is_leaf(Place place) const { return place < leaves_; }
    // Without the root, of states of so many words.
    static constexpr std::size_t places_of(std::size_t words) { return 4 * words - 2; }

    // The places above a leaf, without the root, as bits in so many words; and the place that a bit stands for.
    std::size_t mark_blocks() const { return mark_blocks_; }
    const std::uint64_t *marks_above(Place leaf) const { return &marks_[leaf * mark_blocks_]; }
    Place marked(std::size_t block, unsigned bit) const { return static_cast<Place>(leaves_ + 64 * block + bit); }

    // The places that are no leaves, without the root: those above leaves alone, those above these, and so on.
    const std::vector<std::vector<Place>> &by_height() const { return by_height_; }
    const std::vector<Children> &children() const { return children_; }

  private:
    void mark_above(Place place, Place above);

    std::size_t leaves_;
    std::vector<Children> children_;
    std::size_t mark_blocks_;
    std::vector<std::uint64_t> marks_; // of all places; those of a leaf are used
    std::vector<std::vector<Place>> by_height_;
};

// For states of at least two words. A model that is to be asked in order is not asked: pieces are paired as they lie.
TreeShape shape_for(const asset_model &model, const Options &options);

// The same, if trees are worth the time that folding takes: if their pairs, each of which takes two words with its
// place in the table, take at most half the memory of states as they are, as far as some states tell. Else null, as for
// a model that is to be asked in order.
std::shared_ptr<const TreeShape> shape_that_pays(const asset_model &model, const Options &options);

} // namespace asset

// States as trees: a wide state is a word, its root, and nodes that it shares with others (tree compression: Blom,
// Lisser, van de Pol and Weber 2009; Laarman, van de Pol and Weber 2011). src/asset/engine/tree.py is the readable
// version.
//
// A node is a word, the numbers of what is at the two places below it (tree_shape.h). A leaf is a piece of 32 bits of
// the state, and that is its number; other numbers are given once for each node, whatever its place. So equal parts
// cost nothing, and states are equal if and only if their roots are. The root, which has no number, stands for the
// state.
#pragma once

#include "arena.h"
#include "tree_shape.h"

namespace asset {

// The shape of all trees, and the nodes, which a store adds and finds (tree_store.h).
class Tree : public Unfolding {
  public:
    using Shape = TreeShape;

    Tree(Budget &budget, Shape shape) : shape_(std::move(shape)), nodes_(budget, 1) {}

    const TreeShape &shape() const { return shape_; }
    Arena &nodes() { return nodes_; }

    static Word pair(Id left, Id right) { return Word{left} | Word{right} << 32; }
    static Id left(Word pair) { return static_cast<Id>(pair); }
    static Id right(Word pair) { return static_cast<Id>(pair >> 32); }

    // Of the node that has this id; never 0.
    static Id number(Id id) { return id + 1; }

    // What is below a place, by the numbers at all places.
    Word node(TreeShape::Place place, const Id *numbers) const {
        const auto [left, right] = shape_.below(place);
        return pair(numbers[left], numbers[right]);
    }

    // The states that have these roots, with the numbers at all places of their trees. Only what differs from the state
    // before is read.
    const Word *unfold(const Word *roots, Id count, Unfolded &out) const override;

    template <class Archive> void archive(Archive &archive) const {
        auto children = shape_.children();
        archive(children);
        if (children != shape_.children())
            throw SnapshotFailed("its trees have another shape");
    }

  private:
    void prefetch(Word root) const;
    void descend(TreeShape::Place place, Id number, const Unfolded::Slot &slot) const;
    void descend(const TreeShape::Children &places, Word node, const Unfolded::Slot &slot) const {
        descend(places[0], left(node), slot);
        descend(places[1], right(node), slot);
    }

    const TreeShape shape_;
    Arena nodes_;
};

} // namespace asset

#include "tree.h"

#include "simd.h"

namespace asset {
namespace {

constexpr Id ahead = 4; // how many states are unfolded before what was fetched is needed

} // namespace

// Brings the nodes below a root closer; those further down are fewer, and were met lately.
ASSET_INLINE void Tree::prefetch(Word root) const {
    const auto [left_place, right_place] = shape_.root();
    if (!shape_.is_leaf(left_place))
        __builtin_prefetch(nodes_[left(root) - 1]);
    if (!shape_.is_leaf(right_place))
        __builtin_prefetch(nodes_[right(root) - 1]);
}

// Before the first state all numbers are 0: no node has that one, and a leaf that has it is a piece that is 0.
const Word *Tree::unfold(const Word *roots, Id count, Unfolded &out) const {
    out.make_room(count, shape_.leaves() / 2, shape_.places());
    for (Id i = 0; i < count; ++i) {
        if (i + ahead < count)
            prefetch(roots[i + ahead]);
        descend(shape_.root(), roots[i], out.copy_of_last(i));
    }
    return out.state(0);
}

void Tree::descend(TreeShape::Place place, Id number, const Unfolded::Slot &slot) const {
    if (std::exchange(slot.numbers[place], number) == number)
        return;
    if (!shape_.is_leaf(place))
        return descend(shape_.below(place), *nodes_[number - 1], slot);
    const unsigned shift = place % 2 * 32;
    Word &word = slot.state[place / 2];
    word = (word & ~(Word{0xffffffff} << shift)) | Word{number} << shift;
}

} // namespace asset

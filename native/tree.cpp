#include "tree.h"

namespace asset {

// Before the first state all numbers are 0: no node has that one, and a leaf that has it is a piece that is 0.
const Word *Tree::unfold(const Word *roots, Id count, Unfolded &out) const {
    out.make_room(count, shape_.leaves() / 2, shape_.places());
    for (Id i = 0; i < count; ++i)
        descend(shape_.root(), roots[i], out.copy_of_last(i));
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

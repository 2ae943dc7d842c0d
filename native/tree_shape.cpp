#include "tree_shape.h"

#include <algorithm>
#include <span>

#include "sample.h"
#include "store.h"

namespace asset {
namespace {

using Place = TreeShape::Place;

constexpr std::size_t sample_states = 1024; // trees of more are no better, and small models would wait for them
constexpr std::size_t most_compared = 48;   // parts: with more, neighbours are paired first

// The values that a part has in the states of the sample: a number for each state, the same if its values are.
struct Values {
    std::vector<std::uint32_t> numbers;
    std::size_t different; // numbers
};

// The parts that are not paired yet.
class Pairing {
  public:
    explicit Pairing(std::size_t leaves) : leaves_(leaves) {}

    void add_leaf(std::span<const std::uint32_t> pieces) {
        parts_.push_back({next_++, numbered(pieces.size(), [&](std::size_t i) { return pieces[i]; }), 1});
    }

    // Neighbours are paired until so many are left.
    void pair_neighbours(std::size_t most) {
        while (parts_.size() > most) {
            std::vector<Part> before;
            before.swap(parts_);
            for (std::size_t i = 0; i + 1 < before.size(); i += 2)
                parts_.push_back(pair(before[i], before[i + 1]));
            if (before.size() % 2)
                parts_.push_back(std::move(before.back()));
        }
    }

    // Those with the fewest values together are paired until one is left.
    void pair_best() {
        for (std::size_t i = 0; i < parts_.size(); ++i)
            costs_.emplace_back(parts_.size());
        for (std::size_t i = 0; i < parts_.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                costs_[i][j] = cost(parts_[i], parts_[j]);
        while (parts_.size() > 1)
            pair_cheapest();
    }

    // When one part is left: of the states of the sample, and of all parts of them that are pairs.
    std::size_t different_states() const { return parts_.front().values.different; }
    std::size_t different_pairs() const { return pairs_ - different_states(); }

    TreeShape shape() && { return TreeShape(leaves_, std::move(children_)); }

  private:
    struct Part {
        Place place;
        Values values;
        std::uint32_t height; // plus 1
    };
    using Cost = std::pair<std::size_t, std::uint32_t>; // of equally many values, what is lower is better

    void pair_cheapest() {
        std::size_t first = 1, second = 0;
        for (std::size_t i = 0; i < parts_.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (costs_[i][j] < costs_[first][second])
                    first = i, second = j;
        parts_[second] = pair(parts_[second], parts_[first]);
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(first));
        costs_.erase(costs_.begin() + static_cast<std::ptrdiff_t>(first));
        for (auto &row : costs_)
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(first));
        for (std::size_t i = 0; i < parts_.size(); ++i)
            if (i != second)
                costs_[std::max(i, second)][std::min(i, second)] = cost(parts_[i], parts_[second]);
    }

    Part pair(const Part &left, const Part &right) {
        children_.push_back({left.place, right.place});
        Part result{next_++, together(left.values, right.values), std::max(left.height, right.height) + 1};
        pairs_ += result.values.different;
        return result;
    }

    Cost cost(const Part &left, const Part &right) {
        return {different_together(left.values, right.values), std::max(left.height, right.height)};
    }

    // Many parts have one value throughout.
    std::size_t different_together(const Values &left, const Values &right) {
        if (left.different <= 1 || right.different <= 1)
            return std::max(left.different, right.different);
        return together(left, right).different;
    }

    // The values of two parts as one.
    Values together(const Values &left, const Values &right) {
        return numbered(left.numbers.size(),
                        [&](std::size_t i) { return Word{left.numbers[i]} << 32 | right.numbers[i]; });
    }

    // Numbers for so many values, each of which is a key.
    template <class Key> Values numbered(std::size_t count, const Key &key_of) {
        Values result{std::vector<std::uint32_t>(count), 0};
        std::ranges::fill(numbers_, 0);
        for (std::size_t i = 0; i < count; ++i) {
            const Word key = key_of(i);
            std::size_t slot = fold_multiply(key ^ 0x2d358dccaa6c78a5u, 0x9e3779b97f4a7c15u) % slots;
            while (numbers_[slot] && keys_[slot] != key)
                slot = (slot + 1) % slots;
            if (!numbers_[slot]) {
                numbers_[slot] = static_cast<std::uint32_t>(++result.different);
                keys_[slot] = key;
            }
            result.numbers[i] = numbers_[slot];
        }
        return result;
    }

    static constexpr std::size_t slots = 4 * sample_states; // of a hash table

    const std::size_t leaves_;
    Place next_ = 0;
    std::size_t pairs_ = 0; // different ones, of all that were made
    std::vector<Part> parts_;
    std::vector<std::vector<Cost>> costs_; // of two parts, the first one with the larger number
    std::vector<TreeShape::Children> children_;
    std::vector<Word> keys_ = std::vector<Word>(slots);
    std::vector<std::uint32_t> numbers_ = std::vector<std::uint32_t>(slots); // of the keys; 0 if there is none
};

Pairing paired(const asset_model &model, const Options &options) {
    const auto leaves = static_cast<Place>(2 * model.state_words);
    Pairing pairing(leaves);
    const Sample sample(model, options, sample_states);
    std::vector<std::uint32_t> pieces(sample.size());
    for (Place leaf = 0; leaf < leaves; ++leaf) {
        for (std::size_t i = 0; i < pieces.size(); ++i)
            pieces[i] = sample.piece(i, leaf);
        pairing.add_leaf(pieces);
    }
    pairing.pair_neighbours(most_compared);
    pairing.pair_best();
    return pairing;
}

Pairing paired_in_order(std::size_t leaves) {
    Pairing pairing(leaves);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf)
        pairing.add_leaf({});
    pairing.pair_neighbours(1);
    return pairing;
}

} // namespace

TreeShape::TreeShape(std::size_t leaves, std::vector<Children> children)
    : leaves_(leaves), children_(std::move(children)), mark_blocks_(children_.size() / 64 + 1),
      marks_((leaves + children_.size()) * mark_blocks_) {
    std::vector<std::size_t> heights(leaves_ + children_.size()); // of a leaf 0
    for (Place place = static_cast<Place>(leaves_); place < places(); ++place) {
        const std::size_t height = std::max(heights[below(place)[0]], heights[below(place)[1]]) + 1;
        heights[place] = height;
        by_height_.resize(std::max(by_height_.size(), height));
        by_height_[height - 1].push_back(place);
    }
    for (Place place = static_cast<Place>(places()); place-- > leaves_;) // what is above has its marks before
        for (const Place child : below(place))
            mark_above(child, place);
}

// What is above a place: another one, and all above that.
void TreeShape::mark_above(Place place, Place above) {
    std::uint64_t *marks = &marks_[place * mark_blocks_];
    std::copy_n(&marks_[above * mark_blocks_], mark_blocks_, marks);
    marks[(above - leaves_) / 64] |= std::uint64_t{1} << (above - leaves_) % 64;
}

TreeShape shape_for(const asset_model &model, const Options &options) {
    return (options.in_order ? paired_in_order(2 * model.state_words) : paired(model, options)).shape();
}

std::shared_ptr<const TreeShape> shape_that_pays(const asset_model &model, const Options &options) {
    if (options.in_order)
        return nullptr;
    Pairing pairing = paired(model, options);
    if (4 * pairing.different_pairs() > model.state_words * pairing.different_states())
        return nullptr;
    return std::make_shared<const TreeShape>(std::move(pairing).shape());
}

} // namespace asset

#include "tree_shape.h"

#include <algorithm>

#include "sample.h"
#include "store.h"

namespace asset {
namespace {

using Place = TreeShape::Place;

constexpr std::size_t sample_states = 16384;
constexpr std::size_t most_compared = 48; // parts: with more, neighbours are paired first

// The parts that are not paired yet.
class Pairing {
  public:
    explicit Pairing(std::size_t leaves) : leaves_(leaves) {}

    // A part has a number for each state of the sample, the same if its values are.
    void add_leaf(std::vector<std::uint32_t> values) { parts_.push_back({next_++, std::move(values), 1}); }

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

    TreeShape shape() && { return TreeShape(leaves_, std::move(children_)); }

  private:
    struct Part {
        Place place;
        std::vector<std::uint32_t> values;
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
        return {next_++, together(left, right).first, std::max(left.height, right.height) + 1};
    }

    Cost cost(const Part &left, const Part &right) {
        return {together(left, right).second, std::max(left.height, right.height)};
    }

    // The values of two parts as one, and how many different ones there are.
    std::pair<std::vector<std::uint32_t>, std::size_t> together(const Part &left, const Part &right) {
        std::vector<std::uint32_t> values(left.values.size());
        std::ranges::fill(numbers_, 0);
        std::uint32_t count = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Word key = Word{left.values[i]} << 32 | right.values[i];
            std::size_t slot = fold_multiply(key ^ 0x2d358dccaa6c78a5u, 0x9e3779b97f4a7c15u) % keys_.size();
            while (numbers_[slot] && keys_[slot] != key)
                slot = (slot + 1) % keys_.size();
            if (!numbers_[slot]) {
                numbers_[slot] = ++count;
                keys_[slot] = key;
            }
            values[i] = numbers_[slot];
        }
        return {std::move(values), count};
    }

    const std::size_t leaves_;
    Place next_ = 0;
    std::vector<Part> parts_;
    std::vector<std::vector<Cost>> costs_; // of two parts, the first one with the larger number
    std::vector<TreeShape::Children> children_;
    std::vector<Word> keys_ = std::vector<Word>(4 * sample_states);                 // a hash table of pairs
    std::vector<std::uint32_t> numbers_ = std::vector<std::uint32_t>(keys_.size()); // of them; 0 if there is none
};

} // namespace

TreeShape::TreeShape(std::size_t leaves, std::vector<Children> children)
    : leaves_(leaves), children_(std::move(children)), mark_blocks_(children_.size() / 64 + 1),
      marks_((leaves + children_.size()) * mark_blocks_), heights_(leaves + children_.size()) {
    for (Place place = static_cast<Place>(leaves_); place < heights_.size(); ++place)
        heights_[place] = std::max(heights_[below(place)[0]], heights_[below(place)[1]]) + 1;
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
    const auto leaves = static_cast<Place>(2 * model.state_words);
    Pairing pairing(leaves);
    if (options.in_order) {
        for (Place leaf = 0; leaf < leaves; ++leaf)
            pairing.add_leaf({});
        pairing.pair_neighbours(1);
        return std::move(pairing).shape();
    }
    const Sample sample(model, options, sample_states);
    for (Place leaf = 0; leaf < leaves; ++leaf) {
        std::vector<std::uint32_t> values(sample.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = sample.piece(i, leaf);
        pairing.add_leaf(std::move(values));
    }
    pairing.pair_neighbours(most_compared);
    pairing.pair_best();
    return std::move(pairing).shape();
}

} // namespace asset

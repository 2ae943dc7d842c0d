#include "locality.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

namespace asset {
namespace {

constexpr std::size_t most_sampled = std::size_t{1} << 12; // states
constexpr std::size_t sampled_of = 4 * most_sampled;

// With as many groups of equal size for each rank, the shares of ranks differ by a factor of about 1 ± 1/32.
constexpr double groups_for_each_rank = 32 * 32;

// If more steps than this lead to another group, the better balance of all bits is worth more.
constexpr double most_leaving = 0.8;

// States with their bits one after the other, for each bit.
using Columns = std::vector<std::vector<std::uint8_t>>;

Columns columns_of(std::span<const Word> states, std::size_t words) {
    Columns result(words * 64, std::vector<std::uint8_t>(states.size() / words));
    for (std::size_t i = 0; i < states.size(); ++i)
        for (std::size_t bit = 0; bit < 64; ++bit)
            result[i % words * 64 + bit][i / words] = states[i] >> bit & 1;
    return result;
}

// Bits that are chosen one after the other. The states that agree in all of them are a group.
class Choosing {
  public:
    Choosing(std::span<const Word> states, const Locality::Changes &changes, std::size_t words)
        : columns_(columns_of(states, words)), group_(states.size() / words),
          sizes_{static_cast<std::uint32_t>(group_.size())}, bits_(words) {
        for (std::size_t bit = 0; bit < columns_.size(); ++bit)
            candidates_.push_back(bit);
        for (const auto &[bits, count] : changes)
            staying_.push_back({bits, count});
        steps_ = staying();
    }

    const std::vector<Word> &bits() const { return bits_; }

    // How likely it is that two states are in one group.
    double together() const { return together(sizes_); }

    // How likely a step leads to another group.
    double leaving() const { return 1 - static_cast<double>(staying()) / static_cast<double>(steps_); }

    // Adds the bit that costs least for what it tells apart. False if no bit tells any states apart.
    bool add_best() {
        std::optional<std::size_t> best;
        double least = 0;
        const double before = std::log(together());
        std::erase_if(candidates_, [&](std::size_t bit) {
            const double told = before - std::log(together(sizes_with(bit)));
            if (!(told > 0))
                return true; // nor later
            const double price = static_cast<double>(more_leaving(bit)) / told;
            if (!best || price < least) {
                best = bit;
                least = price;
            }
            return false;
        });
        if (best)
            add(*best);
        return best.has_value();
    }

  private:
    struct Change {
        std::vector<Word> bits;
        std::uint64_t count;

        bool has(std::size_t bit) const { return bits[bit / 64] >> (bit % 64) & 1; }
    };

    double together(const std::vector<std::uint32_t> &sizes) const {
        double pairs = 0;
        for (const double size : sizes)
            pairs += size * (size - 1);
        const auto count = static_cast<double>(group_.size());
        return pairs / (count * (count - 1));
    }

    // Of the groups that there would be: those with the bit come second.
    std::vector<std::uint32_t> sizes_with(std::size_t bit) const {
        std::vector<std::uint32_t> result(2 * sizes_.size());
        for (std::size_t i = 0; i < group_.size(); ++i)
            ++result[2 * group_[i] + columns_[bit][i]];
        return result;
    }

    std::uint64_t staying() const {
        std::uint64_t count = 0;
        for (const Change &change : staying_)
            count += change.count;
        return count;
    }

    std::uint64_t more_leaving(std::size_t bit) const {
        std::uint64_t count = 0;
        for (const Change &change : staying_)
            count += change.has(bit) ? change.count : 0;
        return count;
    }

    void add(std::size_t bit) {
        bits_[bit / 64] |= Word{1} << (bit % 64);
        std::erase(candidates_, bit);
        std::erase_if(staying_, [&](const Change &change) { return change.has(bit); });
        std::vector<std::uint32_t> sizes = sizes_with(bit), numbers(sizes.size());
        for (std::uint32_t i = 0, next = 0; i < sizes.size(); ++i)
            numbers[i] = sizes[i] ? next++ : 0;
        for (std::size_t i = 0; i < group_.size(); ++i)
            group_[i] = numbers[2 * group_[i] + columns_[bit][i]];
        std::erase(sizes, 0u);
        sizes_ = std::move(sizes);
    }

    const Columns columns_;
    std::vector<std::size_t> candidates_;
    std::vector<std::uint32_t> group_; // by state
    std::vector<std::uint32_t> sizes_; // by group
    std::vector<Change> staying_;      // by steps that do not leave a group
    std::uint64_t steps_ = 0;
    std::vector<Word> bits_;
};

} // namespace

std::vector<Id> sampled(std::span<const std::vector<Range>> levels) {
    std::vector<Range> ranges;
    std::size_t found = 0;
    for (; !levels.empty() && found < sampled_of; levels = levels.first(levels.size() - 1))
        for (const Range &range : levels.back()) {
            ranges.push_back(range);
            found += range.count;
        }
    std::vector<Id> result;
    const std::size_t step = (found + most_sampled - 1) / most_sampled;
    std::size_t skipped = 0;
    for (const Range &range : ranges) {
        for (; skipped < range.count; skipped += step)
            result.push_back(range.first + static_cast<Id>(skipped));
        skipped -= range.count;
    }
    return result;
}

void Locality::add_step(const Word *from, const Word *to) {
    std::vector<Word> bits(words_);
    std::transform(from, from + words_, to, bits.begin(), std::bit_xor());
    ++changes_[std::move(bits)];
}

std::vector<Word> Locality::bits(unsigned ranks) const {
    if (states_.size() < 2 * words_ || changes_.empty())
        return {};
    Choosing choosing(states_, changes_, words_);
    while (choosing.together() * groups_for_each_rank * ranks > 1)
        if (!choosing.add_best())
            return {};
    return choosing.leaving() > most_leaving ? std::vector<Word>() : choosing.bits();
}

} // namespace asset

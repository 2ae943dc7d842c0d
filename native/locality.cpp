#include "locality.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "random.h"
#include "simd.h"

namespace asset {
namespace {

constexpr std::size_t most_sampled = std::size_t{1} << 11; // states of the first levels
constexpr std::uint32_t most_steps = 16;                   // of a state
constexpr std::size_t most_walks = most_sampled / 4;
constexpr unsigned walked[] = {3, 9, 27};  // steps after which one looks
constexpr std::size_t least_sampled = 512; // with fewer, little is known

// If more steps than this lead to another rank, the better balance of a hash is worth more.
constexpr double most_leaving = 0.8;

// How far from even a parity may be at no cost: of all states, and of those that agree in other parities, or were met
// in one way; and, as the distribution of single bits changes from level to level, of those that agree in one bit.
constexpr double tolerated_by_parities = 0.04, tolerated_by_bits = 0.07;
constexpr double price_of_bias = 3;    // of as much as that, in steps that leave
constexpr double most_excessive = 0.1; // with more bias than that in the end, a hash serves better

constexpr unsigned restarts = 6;
constexpr std::size_t most_tries = 2000;
constexpr std::size_t most_work = std::size_t{1} << 24; // words that are looked at in all tries from one start
constexpr double first_temperature = 0.05, cooling = 0.9965;

constexpr std::size_t most_combinations = 63; // of parities that others are independent of

// One bit of each of many states or steps.
using Column = std::vector<std::uint64_t>;

ASSET_INLINE std::size_t count_common(const Column &a, const Column &b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        count += static_cast<std::size_t>(std::popcount(a[i] & b[i]));
    return count;
}

ASSET_V3 std::size_t count_common_v3(const Column &a, const Column &b) { return count_common(a, b); }

// In how many places both have a bit.
std::size_t common(const Column &a, const Column &b) { return has_v3() ? count_common_v3(a, b) : count_common(a, b); }

void flip(Column &column, const Column &by) { std::ranges::transform(column, by, column.begin(), std::bit_xor()); }

// Of rows of so many words: each of their bits, as a column.
std::vector<Column> columns_of(std::span<const Word> rows, std::size_t words) {
    const std::size_t count = rows.size() / words;
    std::vector<Column> result(words * 64, Column((count + 63) / 64));
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t word = 0; word < words; ++word)
            for (Word left = rows[row * words + word]; left; left &= left - 1)
                result[word * 64 + static_cast<std::size_t>(std::countr_zero(left))][row / 64] |= Word{1} << row % 64;
    return result;
}

// The first so many of the rows.
Column first_of(std::size_t count, std::size_t rows) {
    Column result((rows + 63) / 64);
    for (std::size_t row = 0; row < count; ++row)
        result[row / 64] |= Word{1} << row % 64;
    return result;
}

// Calls `use` for each of the states, whose successors are there, with its number and that of its first edge; not for
// those with a model error.
template <class Use>
void for_each_expanded(Successors &successors, std::span<const Word> states, std::size_t words, const Use &use) {
    while (!states.empty()) {
        const std::size_t count = std::min(successors.capacity(), states.size() / words);
        successors.expand(states.data(), count);
        std::size_t edge = 0;
        for (std::size_t i = 0; i < successors.complete(); edge += successors.degree(i++))
            use(i, edge);
        states = states.subspan((successors.complete() + (successors.fault() ? 1 : 0)) * words);
    }
}

// Parities that are chosen one after the other.
class Choosing {
  public:
    // What the states up to each of the ends have in common is how they were met.
    Choosing(std::span<const Word> states, std::span<const std::size_t> ends, std::span<const Word> changes,
             std::size_t words)
        : words_(words), states_(columns_of(states, words)), steps_(columns_of(changes, words)),
          all_(first_of(ends.back(), ends.back())), staying_(first_of(changes.size() / words, changes.size() / words)),
          nr_states_(ends.back()), nr_steps_(changes.size() / words) {
        for (const std::size_t end : ends)
            add_condition(first_of(end, nr_states_), tolerated_by_parities);
        for (std::size_t bit = 0; bit < states_.size(); ++bit)
            if (const std::size_t ones = common(all_, states_[bit]); ones > 0 && ones < nr_states_) {
                candidates_.push_back(bit);
                add_condition(states_[bit], tolerated_by_bits);
            }
    }

    bool can_choose() const { return nr_states_ >= least_sampled && nr_steps_ > 0 && candidates_.size() > 1; }

    const std::vector<Word> &masks() const { return masks_; }

    // How likely a step changes the owner, as far as parities were chosen, and how uneven one of them is beyond what is
    // tolerated.
    double leaving() const { return leaving_; }
    double excess() const { return excess_; }

    // Adds one. With this likelihood the owner is another if it is.
    void add_parity(double weight) {
        Best best;
        const std::size_t work = conditions_.size() * all_.size();
        const std::size_t tries = std::clamp<std::size_t>(most_work / work, 1, most_tries);
        for (unsigned start = 0; start < restarts; ++start)
            anneal(start, tries, weight, best);
        leaving_ += weight * leaving(best.trial);
        excess_ = std::max(excess_, excess(best.trial, 1e9));
        take(best.trial);
    }

  private:
    struct Condition {
        Column states;
        std::size_t count;
        double tolerated;
    };

    struct Trial {
        std::vector<bool> chosen; // of the candidates
        Column odd;               // states in which the parity is
        Column changed;           // steps that change it
    };

    struct Best {
        double cost = 1e9;
        Trial trial;
    };

    void add_condition(const Column &states, double tolerated) {
        conditions_.push_back({states, common(states, all_), tolerated});
    }

    void flip_bit(Trial &trial, std::size_t candidate) const {
        trial.chosen[candidate] = !trial.chosen[candidate];
        flip(trial.odd, states_[candidates_[candidate]]);
        flip(trial.changed, steps_[candidates_[candidate]]);
    }

    // From nothing, or from bits of which many, or few, are chosen by chance.
    Trial begin(unsigned start, Random &random) const {
        Trial trial{std::vector<bool>(candidates_.size()), Column(all_.size()), Column(staying_.size())};
        for (std::size_t i = 0; start && i < candidates_.size(); ++i)
            if (random.below(20) < (start % 2 ? 3 : 8))
                flip_bit(trial, i);
        return trial;
    }

    // Changes one bit or two at a time; for the worse the less likely, the longer it takes.
    void anneal(unsigned start, std::size_t tries, double weight, Best &best) const {
        Random random(masks_.size(), start);
        const auto some = [&] { return random.below(static_cast<std::uint32_t>(candidates_.size())); };
        Trial trial = begin(start, random);
        double cost = cost_of(trial, weight, 1e9), temperature = first_temperature;
        for (std::size_t i = 0; i < tries; ++i, temperature *= cooling) {
            const std::size_t first = some(), second = some();
            const bool both = first != second && random.below(2);
            flip_bit(trial, first);
            if (both)
                flip_bit(trial, second);
            const double chance = (random.below(1u << 20) + 0.5) / (1u << 20);
            const double most = cost - temperature * std::log(chance);
            if (const double now = cost_of(trial, weight, most); now < most) {
                cost = now;
            } else {
                flip_bit(trial, first);
                if (both)
                    flip_bit(trial, second);
            }
            if (cost < best.cost)
                best = {cost, trial};
        }
    }

    // Exact if it is less than `most`.
    double cost_of(const Trial &trial, double weight, double most) const {
        const double leaves = weight * leaving(trial);
        return leaves >= most ? leaves : leaves + price_of_bias * excess(trial, (most - leaves) / price_of_bias);
    }

    double leaving(const Trial &trial) const {
        return static_cast<double>(common(trial.changed, staying_)) / static_cast<double>(nr_steps_);
    }

    // By how much the worst condition is not met; exact if it is less than `most`.
    double excess(const Trial &trial, double most) const {
        const auto all = static_cast<double>(nr_states_), odd = static_cast<double>(common(trial.odd, all_));
        double worst = 0;
        for (const Condition &each : conditions_) {
            const auto with = static_cast<double>(each.count);
            const auto odd_with = static_cast<double>(common(trial.odd, each.states));
            const double uneven = std::abs(with - 2 * odd_with) + std::abs(all - with - 2 * (odd - odd_with));
            worst = std::max(worst, uneven / all - each.tolerated);
            if (worst >= most)
                break;
        }
        return worst;
    }

    // Those to come are to be independent of it, and of what it is together with others.
    void take(const Trial &trial) {
        std::vector<Word> mask(words_);
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            if (trial.chosen[i])
                mask[candidates_[i] / 64] |= Word{1} << candidates_[i] % 64;
        masks_.insert(masks_.end(), mask.begin(), mask.end());
        for (std::size_t i = 0; i < staying_.size(); ++i)
            staying_[i] &= ~trial.changed[i];
        combinations_.push_back(trial.odd);
        for (std::size_t i = 0, others = combinations_.size() - 1; i < others; ++i)
            if (combinations_.size() < most_combinations) {
                combinations_.push_back(combinations_[i]);
                flip(combinations_.back(), trial.odd);
            }
        for (; conditioned_ < combinations_.size(); ++conditioned_)
            add_condition(combinations_[conditioned_], tolerated_by_parities);
    }

    const std::size_t words_;
    const std::vector<Column> states_, steps_; // by bit
    const Column all_;
    Column staying_; // steps that change no parity
    const std::size_t nr_states_, nr_steps_;
    std::vector<std::size_t> candidates_; // bits that tell states apart
    std::vector<Condition> conditions_;
    std::vector<Column> combinations_; // of parities
    std::size_t conditioned_ = 0;      // of them
    std::vector<Word> masks_;
    double leaving_ = 0, excess_ = 0;
};

} // namespace

std::vector<Id> sampled(std::span<const std::vector<Range>> levels) {
    std::size_t found = 0;
    for (const auto &level : levels)
        for (const Range &range : level)
            found += range.count;
    std::vector<Id> result;
    const std::size_t step = (found + most_sampled - 1) / most_sampled;
    std::size_t skipped = 0;
    for (const auto &level : levels)
        for (const Range &range : level) {
            for (; skipped < range.count; skipped += step)
                result.push_back(range.first + static_cast<Id>(skipped));
            skipped -= range.count;
        }
    return result;
}

namespace {

// Each of the states becomes one of its successors; one that has none, any of the others.
void walk(Successors &successors, std::vector<Word> &states, std::size_t words, Random &random) {
    const auto some = [&](std::size_t end) { return random.below(static_cast<std::uint32_t>(end)); };
    std::vector<Word> next;
    for_each_expanded(successors, states, words, [&](std::size_t source, std::size_t first_edge) {
        const std::uint32_t degree = successors.degree(source);
        const Word *to =
            degree ? successors.successor(first_edge + some(degree)) : &states[some(states.size() / words) * words];
        next.insert(next.end(), to, to + words);
    });
    states = std::move(next);
}

} // namespace

void Locality::add(Successors &successors, std::span<const Word> states) {
    for_each_expanded(successors, states, words_, [&](std::size_t source, std::size_t first_edge) {
        const Word *from = successors.source(source);
        states_.insert(states_.end(), from, from + words_);
        const std::uint32_t degree = successors.degree(source);
        for (std::uint32_t i = 0; i < degree; i += degree / most_steps + 1)
            std::transform(from, from + words_, successors.successor(first_edge + i), std::back_inserter(changes_),
                           std::bit_xor());
    });
    ends_.push_back(states_.size() / words_);
}

void Locality::add_level(Successors &successors, std::span<const Word> states) {
    add(successors, states);
    std::vector<Word> walkers;
    const std::size_t every = std::max<std::size_t>(states.size() / words_ / most_walks, 1) * words_;
    for (std::size_t i = 0; i < states.size(); i += every)
        walkers.insert(walkers.end(), &states[i], &states[i] + words_);
    Random random(0, 0);
    unsigned steps = 0;
    for (const unsigned end : walked) {
        for (; steps < end && !walkers.empty(); ++steps)
            walk(successors, walkers, words_, random);
        add(successors, walkers);
    }
}

// If ranks are no power of two, states are divided into some more groups, which are shared among them; the later
// parities then tell less and less whose a state is.
std::vector<Word> Locality::parities(unsigned ranks) const {
    if (states_.empty() || changes_.empty())
        return {};
    Choosing choosing(states_, ends_, changes_, words_);
    if (!choosing.can_choose())
        return {};
    const int telling = std::bit_width(ranks) - 1;
    const int groups = std::has_single_bit(ranks) ? telling : telling + 5;
    for (int i = 0; i < groups; ++i)
        choosing.add_parity(std::min(1.0, std::ldexp(1, telling - i - 1)));
    const bool serves = choosing.leaving() <= most_leaving && choosing.excess() <= most_excessive;
    return serves ? choosing.masks() : std::vector<Word>();
}

} // namespace asset

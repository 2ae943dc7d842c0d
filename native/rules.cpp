#include "rules.h"

#include <algorithm>
#include <stdexcept>

namespace asset {
namespace {

// Reads a flat list of numbers from its beginning to its end; each number must be below a limit.
class Reader {
  public:
    explicit Reader(const std::vector<std::uint32_t> &numbers) : numbers_(numbers) {}

    bool done() const { return at_ == numbers_.size(); }

    std::uint32_t number(std::size_t limit) {
        if (done() || numbers_[at_] >= limit)
            throw std::invalid_argument("derived rules that do not fit the model");
        return numbers_[at_++];
    }

    std::vector<std::uint32_t> counted(std::size_t limit) {
        std::vector<std::uint32_t> result(number(numbers_.size()));
        for (std::uint32_t &each : result)
            each = number(limit);
        return result;
    }

  private:
    const std::vector<std::uint32_t> &numbers_;
    std::size_t at_ = 0;
};

using Masks = std::vector<Mask>;

// Sets a bit of a bit set that is given as masks, in the order of their words.
void set(Masks &masks, std::uint32_t bit) {
    const auto place = std::lower_bound(masks.begin(), masks.end(), bit / 64,
                                        [](const Mask &mask, std::uint32_t word) { return mask.word < word; });
    const Word one = Word{1} << bit % 64;
    if (place != masks.end() && place->word == bit / 64)
        place->bits |= one;
    else
        masks.insert(place, {bit / 64, one});
}

void set(std::vector<Word> &words, std::uint32_t bit) { words[bit / 64] |= Word{1} << bit % 64; }

} // namespace

// What the tables are made from.
class RuleTables::Maker {
  public:
    Maker(const DerivedRules &rules, std::uint32_t nr_commands, std::uint32_t nr_facts)
        : nr_nodes(rules.nr_nodes), with_node(rules.nr_nodes), nr_facts_(nr_facts), counting_(nr_facts),
          blocked_(nr_facts) {
        if (nr_nodes < nr_commands)
            throw std::invalid_argument("derived rules for fewer commands than the model has");
        read_alternatives(rules);
        for (Reader reader(rules.obligations); !reader.done();)
            listed_.push_back(reader.counted(nr_alternatives));
        read_cases(rules);
        for (std::uint32_t fact = 0; fact < nr_facts; fact += 4)
            make_four(fact);
    }

    const std::uint32_t nr_nodes;
    std::uint32_t nr_alternatives = 0;
    std::vector<Word> unconditional;
    std::vector<Four> fours;
    std::vector<Word> rows;
    std::vector<Masks> with_node;
    std::vector<Obligation> obligations;
    Masks met_by;
    std::vector<Case> cases;

  private:
    void read_alternatives(const DerivedRules &rules) {
        for (Reader reader(rules.alternatives); !reader.done(); ++nr_alternatives) {
            unconditional.resize(words_for(nr_alternatives + 1));
            if (const std::uint32_t fact = reader.number(nr_facts_ + 1))
                set(counting_[fact - 1], nr_alternatives);
            else
                set(unconditional, nr_alternatives);
            for (const std::uint32_t node : reader.counted(nr_nodes))
                set(with_node[node], nr_alternatives);
        }
    }

    void read_cases(const DerivedRules &rules) {
        const auto before = static_cast<std::uint32_t>(64 * unconditional.size());
        for (Reader reader(rules.cases); !reader.done();) {
            const std::uint32_t node = reader.number(nr_nodes);
            for (const std::uint32_t fact : reader.counted(nr_facts_))
                set(blocked_[fact], before + static_cast<std::uint32_t>(cases.size()));
            const auto first = static_cast<std::uint32_t>(obligations.size());
            for (const std::uint32_t obligation : reader.counted(listed_.size()))
                add(node, listed_[obligation]);
            cases.push_back({first, static_cast<std::uint32_t>(obligations.size())});
        }
    }

    void add(std::uint32_t node, const std::vector<std::uint32_t> &alternatives) {
        Masks masks;
        for (const std::uint32_t alternative : alternatives)
            set(masks, alternative);
        const auto first = static_cast<std::uint32_t>(met_by.size());
        met_by.insert(met_by.end(), masks.begin(), masks.end());
        obligations.push_back({node, first, static_cast<std::uint32_t>(met_by.size())});
    }

    // The table of the facts from `first` on.
    void make_four(std::uint32_t first) {
        const std::uint32_t end = std::min(first + 4, nr_facts_);
        Four four{~std::uint32_t{0}, 0, rows.size()};
        for (std::uint32_t fact = first; fact < end; ++fact)
            for (const Masks *masks : {&counting_[fact], &blocked_[fact]})
                for (const Mask &mask : *masks) {
                    four.first = std::min(four.first, mask.word);
                    four.end = std::max(four.end, mask.word + 1);
                }
        four.first = std::min(four.first, four.end);
        const std::size_t width = four.end - four.first;
        rows.resize(rows.size() + 16 * width);
        for (std::uint32_t value = 0; value < 16; ++value)
            for (std::uint32_t fact = first; fact < end; ++fact)
                for (const Mask &mask : value >> (fact - first) & 1 ? counting_[fact] : blocked_[fact])
                    rows[four.row + value * width + mask.word - four.first] |= mask.bits;
        fours.push_back(four);
    }

    const std::uint32_t nr_facts_;
    std::vector<Masks> counting_; // by fact: the alternatives that count where it holds
    std::vector<Masks> blocked_;  // by fact: the cases that do not apply where it does not hold, after the alternatives
    std::vector<std::vector<std::uint32_t>> listed_; // the obligations as they were read
};

RuleTables::RuleTables(const DerivedRules &rules, std::uint32_t nr_commands, std::uint32_t nr_facts)
    : RuleTables(Maker(rules, nr_commands, nr_facts)) {}

RuleTables::RuleTables(const Maker &maker)
    : nr_nodes(maker.nr_nodes), nr_alternatives(maker.nr_alternatives), unconditional(maker.unconditional),
      fours(maker.fours), rows(maker.rows), with_node(maker.with_node), obligations(maker.obligations),
      met_by(maker.met_by), cases(maker.cases) {}

} // namespace asset

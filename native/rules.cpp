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
        : nr_nodes(rules.nr_nodes), nr_facts(nr_facts), of_fact(nr_facts), first_true(nr_facts),
          with_node(rules.nr_nodes) {
        if (nr_nodes < nr_commands)
            throw std::invalid_argument("derived rules for fewer commands than the model has");
        read_alternatives(rules);
        for (Reader reader(rules.obligations); !reader.done();)
            listed.push_back(reader.counted(nr_alternatives));
        read_cases(rules);
    }

    const std::uint32_t nr_nodes;
    const std::uint32_t nr_facts;
    std::uint32_t nr_alternatives = 0;
    std::vector<Word> unconditional;
    std::vector<Masks> of_fact;
    std::vector<std::vector<std::uint32_t>> first_true;
    std::vector<Masks> with_node;
    std::vector<Obligation> obligations;
    Masks met_by;
    std::vector<Case> cases;
    std::vector<std::uint32_t> unconditional_cases;
    Masks case_facts;

  private:
    void read_alternatives(const DerivedRules &rules) {
        for (Reader reader(rules.alternatives); !reader.done(); ++nr_alternatives) {
            unconditional.resize(words_for(nr_alternatives + 1));
            if (const std::uint32_t fact = reader.number(nr_facts + 1))
                set(of_fact[fact - 1], nr_alternatives);
            else
                set(unconditional, nr_alternatives);
            for (const std::uint32_t node : reader.counted(nr_nodes))
                set(with_node[node], nr_alternatives);
        }
    }

    void read_cases(const DerivedRules &rules) {
        for (Reader reader(rules.cases); !reader.done();) {
            const std::uint32_t node = reader.number(nr_nodes);
            const std::vector<std::uint32_t> facts = reader.counted(nr_facts);
            (facts.empty() ? unconditional_cases : first_true[facts[0]])
                .push_back(static_cast<std::uint32_t>(cases.size()));
            Case made{};
            made.first_fact = static_cast<std::uint32_t>(case_facts.size());
            Masks others; // than the first
            for (std::size_t i = 1; i < facts.size(); ++i)
                set(others, facts[i]);
            case_facts.insert(case_facts.end(), others.begin(), others.end());
            made.end_fact = static_cast<std::uint32_t>(case_facts.size());
            made.first = static_cast<std::uint32_t>(obligations.size());
            for (const std::uint32_t obligation : reader.counted(listed.size()))
                add(node, listed[obligation]);
            made.end = static_cast<std::uint32_t>(obligations.size());
            cases.push_back(made);
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

    std::vector<std::vector<std::uint32_t>> listed; // the obligations as they were read
};

RuleTables::RuleTables(const DerivedRules &rules, std::uint32_t nr_commands, std::uint32_t nr_facts)
    : RuleTables(Maker(rules, nr_commands, nr_facts)) {}

RuleTables::RuleTables(const Maker &maker)
    : nr_nodes(maker.nr_nodes), nr_alternatives(maker.nr_alternatives), unconditional(maker.unconditional),
      telling(words_for(maker.nr_facts)), of_fact(maker.of_fact), with_node(maker.with_node),
      obligations(maker.obligations), met_by(maker.met_by), cases(maker.cases), unconditional_cases(maker.unconditional_cases), first_true(maker.first_true),
      case_facts(maker.case_facts) {
    for (std::uint32_t fact = 0; fact < maker.nr_facts; ++fact)
        if (!maker.of_fact[fact].empty() || !maker.first_true[fact].empty())
            set(telling, fact);
}

} // namespace asset

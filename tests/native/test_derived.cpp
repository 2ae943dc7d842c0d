// The choice of stubborn sets by derived rules, compared with the plainest way to find them, on random rules.
#include <cstdio>
#include <random>
#include <stdexcept>

#include "derived.h"

using asset::DerivedRules;
using asset::Word;

namespace {

int failures = 0;

#define EXPECT(condition)                                                                                              \
    ((condition) ? void() : (++failures, void(std::printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition))))

using Numbers = std::vector<std::uint32_t>;

struct Alternative {
    std::uint32_t fact; // plus one; 0 for none
    Numbers nodes;
};

struct Case {
    std::uint32_t node;
    Numbers facts;
    Numbers obligations;
};

struct Sample {
    std::uint32_t nr_nodes, nr_commands, nr_facts;
    std::vector<Alternative> alternatives;
    std::vector<Numbers> obligations;
    std::vector<Case> cases;
};

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}

    std::uint32_t below(std::uint32_t limit) {
        return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(engine_);
    }

    Numbers some(std::uint32_t most, std::uint32_t limit) {
        Numbers result(below(most + 1));
        for (std::uint32_t &each : result)
            each = below(limit);
        return result;
    }

    Sample sample() {
        Sample made{.nr_nodes = 1 + below(150), .nr_commands = 0, .nr_facts = 1 + below(100), .alternatives = {},
                    .obligations = {}, .cases = {}};
        made.nr_commands = 1 + below(made.nr_nodes);
        for (std::uint32_t i = 1 + below(150); i-- > 0;)
            made.alternatives.push_back({below(made.nr_facts + 1), some(3, made.nr_nodes)});
        for (std::uint32_t i = 1 + below(80); i-- > 0;)
            made.obligations.push_back(some(4, static_cast<std::uint32_t>(made.alternatives.size())));
        for (std::uint32_t i = below(3 * made.nr_nodes); i-- > 0;)
            made.cases.push_back({below(made.nr_nodes), some(2, made.nr_facts),
                                  some(3, static_cast<std::uint32_t>(made.obligations.size()))});
        return made;
    }

  private:
    std::mt19937 engine_;
};

void append(Numbers &list, const Numbers &counted) {
    list.push_back(static_cast<std::uint32_t>(counted.size()));
    list.insert(list.end(), counted.begin(), counted.end());
}

DerivedRules flat(const Sample &sample) {
    DerivedRules rules{.nr_nodes = sample.nr_nodes};
    for (const Alternative &alternative : sample.alternatives) {
        rules.alternatives.push_back(alternative.fact);
        append(rules.alternatives, alternative.nodes);
    }
    for (const Numbers &obligation : sample.obligations)
        append(rules.obligations, obligation);
    for (const Case &each : sample.cases) {
        rules.cases.push_back(each.node);
        append(rules.cases, each.facts);
        append(rules.cases, each.obligations);
    }
    return rules;
}

using Set = std::vector<bool>;

bool met(const Sample &sample, const Numbers &obligation, const Set &facts, const Set &kept) {
    for (const std::uint32_t number : obligation) {
        const Alternative &alternative = sample.alternatives[number];
        bool alive = !alternative.fact || facts[alternative.fact - 1];
        for (const std::uint32_t node : alternative.nodes)
            alive = alive && kept[node];
        if (alive)
            return true;
    }
    return false;
}

void shrink(const Sample &sample, const Set &facts, Set &kept) {
    for (bool shrunk = true; shrunk;) {
        shrunk = false;
        for (const Case &each : sample.cases) {
            bool applies = kept[each.node];
            for (const std::uint32_t fact : each.facts)
                applies = applies && facts[fact];
            for (const std::uint32_t obligation : each.obligations)
                if (applies && kept[each.node] && !met(sample, sample.obligations[obligation], facts, kept)) {
                    kept[each.node] = false;
                    shrunk = true;
                }
        }
    }
}

bool has_any(const Set &kept, const Numbers &commands) {
    for (const std::uint32_t command : commands)
        if (kept[command])
            return true;
    return false;
}

// `enabled` is decreasing.
Set chosen(const Sample &sample, const Set &facts, const Numbers &enabled) {
    Set kept(sample.nr_nodes, true);
    shrink(sample, facts, kept);
    if (!has_any(kept, enabled))
        return Set(sample.nr_nodes, true);
    for (auto command = enabled.rbegin(); command != enabled.rend(); ++command) {
        if (!kept[*command])
            continue;
        Set rest = kept;
        rest[*command] = false;
        shrink(sample, facts, rest);
        if (has_any(rest, enabled))
            kept = rest;
    }
    return kept;
}

void random_rules_choose_as_the_plainest_way_does() {
    for (unsigned seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const Sample sample = random.sample();
        const asset::RuleTables tables(flat(sample), sample.nr_commands, sample.nr_facts);
        asset::DerivedSets sets(tables);
        for (int state = 0; state < 10; ++state) {
            Set facts(sample.nr_facts);
            std::vector<Word> words(asset::RuleTables::words_for(sample.nr_facts));
            for (std::uint32_t fact = 0; fact < sample.nr_facts; ++fact)
                if ((facts[fact] = random.below(2)))
                    words[fact / 64] |= Word{1} << fact % 64;
            Numbers enabled;
            for (std::uint32_t command = sample.nr_commands; command-- > 0;)
                if (random.below(3) == 0)
                    enabled.push_back(command);
            if (enabled.empty())
                continue;
            sets.choose(words.data(), enabled);
            const Set expected = chosen(sample, facts, enabled);
            for (const std::uint32_t command : enabled)
                EXPECT(sets.chosen(command) == expected[command]);
        }
    }
}

bool refused(const DerivedRules &rules) {
    try {
        asset::RuleTables(rules, 2, 1);
    } catch (const std::invalid_argument &) {
        return true;
    }
    return false;
}

void lists_that_make_no_sense_are_refused() {
    EXPECT(!refused({.nr_nodes = 2, .alternatives = {1, 1, 1}, .obligations = {1, 0}, .cases = {0, 1, 0, 1, 0}}));
    EXPECT(refused({.nr_nodes = 1}));
    EXPECT(refused({.nr_nodes = 2, .alternatives = {2, 0}}));
    EXPECT(refused({.nr_nodes = 2, .alternatives = {0, 1, 2}}));
    EXPECT(refused({.nr_nodes = 2, .alternatives = {0, 1}}));
    EXPECT(refused({.nr_nodes = 2, .obligations = {1, 0}}));
    EXPECT(refused({.nr_nodes = 2, .cases = {2, 0, 0}}));
    EXPECT(refused({.nr_nodes = 2, .cases = {0, 1, 1, 0}}));
}

} // namespace

int main() {
    random_rules_choose_as_the_plainest_way_does();
    lists_that_make_no_sense_are_refused();
    std::printf("%d failures\n", failures);
    return failures != 0;
}

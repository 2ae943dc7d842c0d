// The choice of stubborn sets by derived rules, compared with the plainest way to find them, on random rules.
#include <algorithm>
#include <random>
#include <stdexcept>

#include "derived.h"
#include "expect.h"

using asset::DerivedRules;
using asset::Word;

namespace {

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

constexpr std::uint32_t cell_bits = 3;
constexpr std::uint32_t nr_cells = 20; // of a state of one word

// Facts about some cells, with the truth of each for all values of the cells.
struct Group {
    Numbers cells;
    Numbers facts;
    std::vector<std::vector<bool>> truths;

    std::size_t row(Word state) const {
        std::size_t row = 0;
        for (std::size_t i = 0; i < cells.size(); ++i)
            row |= (state >> cell_bits * cells[i] & ((1 << cell_bits) - 1)) << cell_bits * i;
        return row;
    }
};

struct Sample {
    std::uint32_t nr_nodes, nr_commands, nr_facts;
    std::vector<Alternative> alternatives;
    std::vector<Numbers> obligations;
    std::vector<Case> cases;
    std::vector<Group> groups{};
    Numbers far{};
    std::vector<Numbers> writes{}; // by command: cells
    Word initial = 0;

    bool begun(Word state, std::uint32_t command) const {
        return std::ranges::any_of(writes[command], [&](std::uint32_t cell) {
            return ((state ^ initial) >> cell_bits * cell & ((1 << cell_bits) - 1)) != 0;
        });
    }
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
        Sample made{.nr_nodes = 1 + below(150),
                    .nr_commands = 0,
                    .nr_facts = 1 + below(100),
                    .alternatives = {},
                    .obligations = {},
                    .cases = {}};
        made.nr_commands = 1 + below(made.nr_nodes);
        for (std::uint32_t i = 1 + below(150); i-- > 0;)
            made.alternatives.push_back({below(made.nr_facts + 1), some(3, made.nr_nodes)});
        for (std::uint32_t i = 1 + below(80); i-- > 0;)
            made.obligations.push_back(some(4, static_cast<std::uint32_t>(made.alternatives.size())));
        for (std::uint32_t i = below(3 * made.nr_nodes); i-- > 0;)
            made.cases.push_back({below(made.nr_nodes), some(2, made.nr_facts),
                                  some(3, static_cast<std::uint32_t>(made.obligations.size()))});
        for (std::uint32_t i = below(5); i-- > 0;)
            made.groups.push_back({some(3, nr_cells), {}, {}});
        for (std::uint32_t fact = 0; fact < made.nr_facts; ++fact)
            add_fact(made, fact);
        for (std::uint32_t command = 0; command < made.nr_commands; ++command)
            made.writes.push_back(some(2, nr_cells));
        return made;
    }

    Word state() { return static_cast<Word>(engine_()) << 32 | engine_(); }

  private:
    void add_fact(Sample &sample, std::uint32_t fact) {
        const std::size_t place = below(static_cast<std::uint32_t>(sample.groups.size()) + 1);
        if (place == sample.groups.size())
            return sample.far.push_back(fact);
        Group &group = sample.groups[place];
        group.facts.push_back(fact);
        group.truths.emplace_back(std::size_t{1} << cell_bits * group.cells.size());
        for (std::size_t row = 0; row < group.truths.back().size(); ++row)
            group.truths.back()[row] = below(2);
    }

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
    for (const Group &group : sample.groups) {
        rules.groups.push_back(static_cast<std::uint32_t>(group.cells.size()));
        for (const std::uint32_t cell : group.cells)
            rules.groups.insert(rules.groups.end(), {0, cell_bits * cell, cell_bits});
        append(rules.groups, group.facts);
        for (const std::vector<bool> &truth : group.truths) {
            const std::size_t first = rules.truths.size();
            rules.truths.resize(first + (truth.size() + 7) / 8);
            for (std::size_t row = 0; row < truth.size(); ++row)
                rules.truths[first + row / 8] |= static_cast<std::uint8_t>(truth[row] << row % 8);
        }
    }
    rules.far = sample.far;
    rules.initial = {sample.initial};
    for (const Numbers &cells : sample.writes) {
        rules.writes.push_back(static_cast<std::uint32_t>(cells.size()));
        for (const std::uint32_t cell : cells)
            rules.writes.insert(rules.writes.end(), {0, cell_bits * cell, cell_bits});
    }
    return rules;
}

asset_model model_with(std::uint32_t nr_commands, std::size_t nr_far) {
    asset_model model{};
    model.state_words = 1;
    model.nr_commands = nr_commands;
    model.nr_facts = static_cast<std::uint32_t>(nr_far);
    return model;
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

// What is left of the set if commands are given up in this order.
Set without(const Sample &sample, const Set &facts, const Numbers &order, Set kept) {
    for (const std::uint32_t command : order) {
        if (!kept[command])
            continue;
        Set rest = kept;
        rest[command] = false;
        shrink(sample, facts, rest);
        if (has_any(rest, order))
            kept = rest;
    }
    return kept;
}

// `enabled` is decreasing.
Set chosen(const Sample &sample, const Set &facts, Word state, const Numbers &enabled) {
    Set kept(sample.nr_nodes, true);
    shrink(sample, facts, kept);
    if (!has_any(kept, enabled))
        return Set(sample.nr_nodes, true);
    const auto not_begun = [&](std::uint32_t command) { return !sample.begun(state, command); };
    Numbers falling = enabled, rising(enabled.rbegin(), enabled.rend());
    std::ranges::stable_partition(falling, not_begun);
    std::ranges::stable_partition(rising, not_begun);
    const Set first = without(sample, facts, rising, kept), second = without(sample, facts, falling, kept);
    const auto count = [&](const Set &set) {
        return std::ranges::count_if(enabled, [&](std::uint32_t command) { return set[command]; });
    };
    return count(second) < count(first) ? second : first;
}

void random_rules_choose_as_the_plainest_way_does() {
    for (unsigned seed = 0; seed < 300; ++seed) {
        Random random(seed);
        Sample sample = random.sample();
        sample.initial = random.state();
        const asset::RuleTables tables(flat(sample), model_with(sample.nr_commands, sample.far.size()));
        asset::DerivedSets sets(tables);
        for (int number = 0; number < 10; ++number) {
            const Word state = sample.initial ^ (random.state() & random.state() & random.state());
            Set facts(sample.nr_facts);
            std::vector<Word> words(asset::RuleTables::words_for(sample.far.size()));
            for (std::size_t i = 0; i < sample.far.size(); ++i)
                if ((facts[sample.far[i]] = random.below(2)))
                    words[i / 64] |= Word{1} << i % 64;
            for (const Group &group : sample.groups)
                for (std::size_t i = 0; i < group.facts.size(); ++i)
                    facts[group.facts[i]] = group.truths[i][group.row(state)];
            Numbers enabled;
            for (std::uint32_t command = sample.nr_commands; command-- > 0;)
                if (random.below(3) == 0)
                    enabled.push_back(command);
            if (enabled.empty())
                continue;
            sets.choose(&state, words.data(), enabled);
            const Set expected = chosen(sample, facts, state, enabled);
            for (const std::uint32_t command : enabled)
                EXPECT(sets.chosen(command) == expected[command]);
        }
    }
}

bool refused(const DerivedRules &rules) {
    try {
        asset::RuleTables(rules, model_with(2, rules.far.size()));
    } catch (const std::invalid_argument &) {
        return true;
    }
    return false;
}

void lists_that_make_no_sense_are_refused() {
    const DerivedRules good{.nr_nodes = 2,
                            .alternatives = {1, 1, 1},
                            .obligations = {1, 0},
                            .cases = {0, 1, 0, 1, 0},
                            .groups = {1, 0, 5, 3, 1, 1},
                            .truths = {0xf0},
                            .far = {0},
                            .initial = {7},
                            .writes = {1, 0, 60, 4, 0}};
    const auto with = [&](auto member, auto value) {
        DerivedRules rules = good;
        rules.*member = value;
        return refused(rules);
    };
    EXPECT(!refused(good));
    EXPECT(with(&DerivedRules::nr_nodes, 1u));
    EXPECT(with(&DerivedRules::alternatives, Numbers{3, 0}));
    EXPECT(with(&DerivedRules::alternatives, Numbers{0, 1, 2}));
    EXPECT(with(&DerivedRules::alternatives, Numbers{0, 1}));
    EXPECT(with(&DerivedRules::obligations, Numbers{1, 1}));
    EXPECT(with(&DerivedRules::cases, Numbers{2, 0, 0}));
    EXPECT(with(&DerivedRules::cases, Numbers{0, 1, 2, 0}));
    EXPECT(with(&DerivedRules::groups, Numbers{1, 1, 5, 3, 1, 1}));
    EXPECT(with(&DerivedRules::groups, Numbers{1, 0, 5, 3, 1, 0}));
    EXPECT(with(&DerivedRules::groups, Numbers{1, 0, 5, 25, 1, 1}));
    EXPECT(with(&DerivedRules::groups, Numbers{1, 0, 5, 4, 1, 1}));
    EXPECT(with(&DerivedRules::truths, std::vector<std::uint8_t>{}));
    EXPECT(with(&DerivedRules::initial, std::vector<Word>{}));
    EXPECT(with(&DerivedRules::writes, Numbers{1, 1, 60, 4, 0}));
    EXPECT(with(&DerivedRules::writes, Numbers{1, 0, 60, 5, 0}));
    EXPECT(with(&DerivedRules::writes, Numbers{0, 0, 0}));
    EXPECT(with(&DerivedRules::far, Numbers{}));
    EXPECT(with(&DerivedRules::far, Numbers{2}));
}

} // namespace

int main() {
    random_rules_choose_as_the_plainest_way_does();
    lists_that_make_no_sense_are_refused();
    return told();
}

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
    Numbers keys{}; // by command: the node that makes it a key; or none at all

    std::uint32_t key(std::uint32_t command) const { return keys.empty() ? command : keys[command]; }

    bool of_alternatives(std::uint32_t fact) const {
        return std::ranges::any_of(alternatives, [&](const Alternative &each) { return each.fact == fact + 1; });
    }

    bool of_cases(std::uint32_t fact) const {
        return std::ranges::any_of(cases, [&](const Case &each) { return std::ranges::count(each.facts, fact); });
    }

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
        Sample made{.nr_nodes = 1 + below(below(2) ? 150 : 15), // in few nodes, sets are seldom alike
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
        if (below(2))
            add_keys(made);
        add_parts(made);
        return made;
    }

    Word state() { return static_cast<Word>(engine_()) << 32 | engine_(); }

  private:
    // Half of the commands are keys by a further node, which needs the command, and mostly one of two other sets too.
    void add_keys(Sample &sample) {
        for (std::uint32_t command = 0; command < sample.nr_commands; ++command) {
            sample.keys.push_back(command);
            if (below(2))
                continue;
            const auto first = static_cast<std::uint32_t>(sample.alternatives.size());
            const auto own = static_cast<std::uint32_t>(sample.obligations.size());
            for (const Numbers &nodes : {Numbers{command}, some(2, sample.nr_commands), some(2, sample.nr_commands)})
                sample.alternatives.push_back({0, nodes});
            sample.obligations.insert(sample.obligations.end(), {{first}, {first + 1, first + 2}});
            sample.cases.push_back({sample.nr_nodes, {}, {own}});
            sample.cases.push_back({sample.nr_nodes, some(2, sample.nr_facts), {own + 1}});
            sample.keys.back() = sample.nr_nodes++;
        }
    }

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

    // Half of the facts that are asked in one way only are told by two tables.
    void add_parts(Sample &sample) {
        for (std::uint32_t fact = 0; fact < sample.nr_facts; ++fact)
            if (sample.of_alternatives(fact) != sample.of_cases(fact) && below(2))
                add_fact(sample, fact);
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
    rules.keys = sample.keys;
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

// A set of nodes that meets its own obligations, where these facts hold and these commands are enabled, which are
// decreasing.
struct Situation {
    const Sample &sample;
    Set facts;
    Word state;
    Numbers enabled;

    // The largest such set in this one. If it is to be strong, each of its enabled commands is a key of it.
    void shrink(Set &kept, bool strong) const {
        for (bool shrunk = true; shrunk;) {
            const Set before = kept;
            for (const Case &each : sample.cases) {
                bool applies = kept[each.node];
                for (const std::uint32_t fact : each.facts)
                    applies = applies && facts[fact];
                for (const std::uint32_t obligation : each.obligations)
                    if (applies && !met(sample, sample.obligations[obligation], facts, kept))
                        kept[each.node] = false;
            }
            for (const std::uint32_t command : enabled)
                if (strong && !kept[sample.key(command)])
                    kept[command] = false;
            shrunk = kept != before;
        }
    }

    bool has_key(const Set &kept) const {
        return std::ranges::any_of(enabled, [&](std::uint32_t command) { return kept[sample.key(command)]; });
    }

    // What is left of the set if commands are given up in this order.
    Set without(const Numbers &order, Set kept, bool strong) const {
        for (const std::uint32_t command : order) {
            if (!kept[command])
                continue;
            Set rest = kept;
            rest[command] = false;
            shrink(rest, strong);
            if (has_key(rest))
                kept = rest;
        }
        return kept;
    }

    // The first with the fewest enabled commands: of strong sets, and of all if that leaves several.
    Set chosen() const {
        Set best(sample.nr_nodes, true);
        std::ptrdiff_t fewest = static_cast<std::ptrdiff_t>(enabled.size()) + 1;
        const auto not_begun = [&](std::uint32_t command) { return !sample.begun(state, command); };
        Numbers falling = enabled, rising(enabled.rbegin(), enabled.rend());
        std::ranges::stable_partition(falling, not_begun);
        std::ranges::stable_partition(rising, not_begun);
        for (const bool strong : {true, false}) {
            Set largest(sample.nr_nodes, true);
            shrink(largest, strong);
            for (const Numbers &order : {rising, falling}) {
                if (fewest <= 1 || !has_key(largest))
                    continue;
                const Set kept = without(order, largest, strong);
                const auto count = std::ranges::count_if(enabled, [&](std::uint32_t each) { return kept[each]; });
                if (count < fewest) {
                    best = kept;
                    fewest = count;
                }
            }
        }
        return best;
    }
};

// The facts of a state as tables tell of them: of one that is in cases only, all that tell of it must say that it
// holds, of others one.
struct Told {
    explicit Told(const Sample &sample) : all(sample.nr_facts) {
        for (std::uint32_t fact = 0; fact < sample.nr_facts; ++fact)
            all[fact] = sample.of_cases(fact) && !sample.of_alternatives(fact);
        hold = all;
    }

    void tell(std::uint32_t fact, bool holds) { hold[fact] = all[fact] ? hold[fact] && holds : hold[fact] || holds; }

    Set all, hold;
};

void random_rules_choose_as_the_plainest_way_does() {
    for (unsigned seed = 0; seed < 1'000; ++seed) {
        Random random(seed);
        Sample sample = random.sample();
        sample.initial = random.state();
        const asset::RuleTables tables(flat(sample), model_with(sample.nr_commands, sample.far.size()));
        asset::DerivedSets sets(tables);
        for (int number = 0; number < 10; ++number) {
            const Word state = sample.initial ^ (random.state() & random.state() & random.state());
            Told facts(sample);
            std::vector<Word> words(asset::RuleTables::words_for(sample.far.size()));
            for (std::size_t i = 0; i < sample.far.size(); ++i) {
                const bool holds = random.below(2);
                facts.tell(sample.far[i], holds);
                words[i / 64] |= Word{holds} << i % 64;
            }
            for (const Group &group : sample.groups)
                for (std::size_t i = 0; i < group.facts.size(); ++i)
                    facts.tell(group.facts[i], group.truths[i][group.row(state)]);
            Numbers enabled;
            for (std::uint32_t command = sample.nr_commands; command-- > 0;)
                if (random.below(3) == 0)
                    enabled.push_back(command);
            if (enabled.empty())
                continue;
            sets.choose(&state, words.data(), enabled);
            const Set expected = Situation{sample, facts.hold, state, enabled}.chosen();
            for (const std::uint32_t command : enabled) {
                EXPECT(sets.chosen(command) == expected[command]);
                EXPECT(sample.keys.empty() || sets.key(command) == expected[sample.keys[command]]);
            }
        }
    }
}

// Command 0 needs 1, and 2 needs 0. To be a key, 1 needs 2 as well.
void one_command_of_a_set_has_to_be_a_key() {
    const Sample sample{.nr_nodes = 5,
                        .nr_commands = 3,
                        .nr_facts = 0,
                        .alternatives = {{0, {0}}, {0, {1}}, {0, {1, 2}}},
                        .obligations = {{0}, {1}, {2}},
                        .cases = {{0, {}, {1}}, {2, {}, {0}}, {3, {}, {0}}, {4, {}, {2}}},
                        .writes = {{}, {}, {}},
                        .keys = {3, 4, 2}};
    const asset::RuleTables tables(flat(sample), model_with(3, 0));
    asset::DerivedSets sets(tables);
    const Word state = 0;
    const Numbers enabled{2, 1, 0};
    sets.choose(&state, nullptr, enabled);
    EXPECT(sets.chosen(0) && sets.chosen(1) && !sets.chosen(2));
    EXPECT(sets.weak() && sets.key(0) && !sets.key(1));
    sets.choose(&state, nullptr, enabled, 1);
    EXPECT(!sets.chosen(0) && sets.chosen(1) && !sets.chosen(2) && !sets.key(1));
    sets.choose(&state, nullptr, Numbers{1});
    EXPECT(sets.chosen(1) && sets.key(1));
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
    EXPECT(!with(&DerivedRules::keys, Numbers{0, 1}));
    EXPECT(with(&DerivedRules::keys, Numbers{0}));
    EXPECT(with(&DerivedRules::keys, Numbers{1, 1}));
    EXPECT(with(&DerivedRules::keys, Numbers{0, 2}));
}

} // namespace

int main() {
    random_rules_choose_as_the_plainest_way_does();
    one_command_of_a_set_has_to_be_a_key();
    lists_that_make_no_sense_are_refused();
    return told();
}

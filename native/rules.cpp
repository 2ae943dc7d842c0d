#include "rules.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
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
    Maker(const DerivedRules &rules, const asset_model &model)
        : nr_nodes(rules.nr_nodes), with_node(rules.nr_nodes), groups_(read_groups(rules, model)),
          times_(count_facts(rules)), nr_facts_(times_.size()), holding_(nr_facts_), failing_(nr_facts_) {
        if (nr_nodes < model.nr_commands || rules.far.size() != model.nr_facts)
            throw std::invalid_argument("derived rules of another model");
        read_alternatives(rules);
        for (Reader reader(rules.obligations); !reader.done();)
            listed_.push_back(reader.counted(alternatives_.size()));
        read_cases(rules);
        check_parts();
        make_groups(rules);
        make_fours(rules);
        read_writes(rules, model);
        read_keys(rules, model);
    }

    const std::uint32_t nr_nodes;
    std::uint32_t nr_alternatives = 0;
    std::vector<Word> unconditional;
    std::vector<Group> groups;
    std::vector<Table> fours;
    std::vector<Word> rows;
    std::vector<Masks> with_node;
    std::vector<Obligation> obligations;
    Masks met_by;
    std::vector<std::vector<Home>> homes;
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> of;

  private:
    // As it was read: its fact plus one, and its number among those with nodes, if it has any.
    struct Alternative {
        std::uint32_t fact;
        std::optional<std::uint32_t> number;
        bool always_met() const { return !fact && !number; }
    };

    void read_alternatives(const DerivedRules &rules) {
        for (Reader reader(rules.alternatives); !reader.done();) {
            Alternative each{reader.number(nr_facts_ + 1), std::nullopt};
            const std::vector<std::uint32_t> nodes = reader.counted(nr_nodes);
            if (!nodes.empty())
                each.number = add_alternative(each.fact, nodes);
            alternatives_.push_back(each);
        }
    }

    std::uint32_t add_alternative(std::uint32_t fact, const std::vector<std::uint32_t> &nodes) {
        const std::uint32_t number = nr_alternatives++;
        unconditional.resize(words_for(nr_alternatives));
        if (fact)
            set(holding_[fact - 1], number);
        else
            set(unconditional, number);
        for (const std::uint32_t node : nodes)
            set(with_node[node], number);
        return number;
    }

    void read_cases(const DerivedRules &rules) {
        for (Reader reader(rules.cases); !reader.done();) {
            const std::uint32_t node = reader.number(nr_nodes);
            const std::vector<std::uint32_t> facts = reader.counted(nr_facts_);
            for (const std::uint32_t obligation : reader.counted(listed_.size()))
                add(node, facts, listed_[obligation]);
        }
    }

    void add(std::uint32_t node, const std::vector<std::uint32_t> &facts, const std::vector<std::uint32_t> &listed) {
        const auto idle = static_cast<std::uint32_t>(64 * unconditional.size() + obligations.size());
        if (std::any_of(listed.begin(), listed.end(), [&](std::uint32_t n) { return alternatives_[n].always_met(); }))
            return;
        Masks masks;
        for (const std::uint32_t number : listed)
            if (const Alternative &each = alternatives_[number]; each.number)
                set(masks, *each.number);
            else
                set(holding_[each.fact - 1], idle);
        for (const std::uint32_t fact : facts)
            set(failing_[fact], idle);
        const auto first = static_cast<std::uint32_t>(met_by.size());
        met_by.insert(met_by.end(), masks.begin(), masks.end());
        obligations.push_back({node, first, static_cast<std::uint32_t>(met_by.size())});
    }

    void read_writes(const DerivedRules &rules, const asset_model &model) {
        for (Reader reader(rules.writes); !reader.done();) {
            std::vector<Home> &home = homes.emplace_back();
            for (std::uint32_t left = reader.number(rules.writes.size()); left-- > 0;) {
                const std::uint32_t word =
                    reader.number(std::min<std::size_t>(model.state_words, rules.initial.size()));
                const std::uint32_t shift = reader.number(64), width = reader.number(65 - shift);
                add_home(home, word, (width < 64 ? (Word{1} << width) - 1 : ~Word{0}) << shift);
            }
            for (Home &each : home)
                each.initial = rules.initial[each.word] & each.bits;
        }
        if (homes.size() > model.nr_commands)
            throw std::invalid_argument("more commands than the model has");
        homes.resize(model.nr_commands);
    }

    void read_keys(const DerivedRules &rules, const asset_model &model) {
        keys = rules.keys;
        if (!keys.empty() && keys.size() != model.nr_commands)
            throw std::invalid_argument("keys of other commands");
        of.resize(nr_nodes);
        std::iota(of.begin(), of.end(), 0u);
        for (std::uint32_t command = 0; command < keys.size(); ++command) {
            if (keys[command] >= nr_nodes || (keys[command] != command && keys[command] < model.nr_commands))
                throw std::invalid_argument("a key that is no node of its own");
            of[keys[command]] = command;
        }
    }

    static void add_home(std::vector<Home> &home, std::uint32_t word, Word bits) {
        for (Home &each : home)
            if (each.word == word) {
                each.bits |= bits;
                return;
            }
        home.push_back({word, bits, 0});
    }

    // Cells of a state, and the facts about them.
    struct Near {
        std::vector<Part> parts;
        unsigned bits = 0;
        std::vector<std::uint32_t> facts;
    };

    static std::vector<Near> read_groups(const DerivedRules &rules, const asset_model &model) {
        std::vector<Near> groups;
        for (Reader reader(rules.groups); !reader.done();) {
            Near &group = groups.emplace_back();
            for (std::uint32_t left = reader.number(rules.groups.size()); left-- > 0;) {
                const std::uint32_t word = reader.number(model.state_words), shift = reader.number(64);
                add_cell(group, word, shift, reader.number(most_bits + 1));
            }
            if (group.bits > most_bits)
                throw std::invalid_argument("a group with too many cells");
            group.facts = reader.counted(std::numeric_limits<std::uint32_t>::max());
        }
        return groups;
    }

    static constexpr std::size_t most_bits = 24;

    static void add_cell(Near &group, std::uint32_t word, std::uint32_t shift, std::uint32_t width) {
        const Word mask = (Word{1} << width) - 1;
        Part *last = group.parts.empty() ? nullptr : &group.parts.back();
        if (last && last->word == word && last->shift + (group.bits - last->to) == shift)
            last->mask |= mask << (group.bits - last->to);
        else if (width)
            group.parts.push_back({word, shift, mask, group.bits});
        group.bits += width;
    }

    // By fact: how often it is in a group or far.
    std::vector<std::uint32_t> count_facts(const DerivedRules &rules) const {
        std::vector<std::uint32_t> all = rules.far;
        for (const Near &group : groups_)
            all.insert(all.end(), group.facts.begin(), group.facts.end());
        std::sort(all.begin(), all.end());
        std::vector<std::uint32_t> times;
        for (const std::uint32_t fact : all) {
            if (fact > times.size())
                throw std::invalid_argument("a fact that is neither in a group nor far");
            times.resize(std::max<std::size_t>(times.size(), fact + std::size_t{1}));
            ++times[fact];
        }
        return times;
    }

    // A fact that several tables tell of.
    void check_parts() const {
        for (std::size_t fact = 0; fact < nr_facts_; ++fact)
            if (times_[fact] > 1 && !holding_[fact].empty() && !failing_[fact].empty())
                throw std::invalid_argument("a fact in parts of which both matters that it holds and that it fails");
    }

    void make_groups(const DerivedRules &rules) {
        auto truth = rules.truths.begin();
        for (const Near &group : groups_) {
            const std::size_t nr_rows = std::size_t{1} << group.bits;
            groups.push_back({group.parts, add_table(group.facts, nr_rows)});
            for (const std::uint32_t fact : group.facts) {
                const std::size_t bytes = std::max<std::size_t>(1, nr_rows / 8);
                if (static_cast<std::size_t>(rules.truths.end() - truth) < bytes)
                    throw std::invalid_argument("a fact without a truth table");
                for (std::size_t row = 0; row < nr_rows; ++row)
                    tell(groups.back().table, row, fact, truth[static_cast<std::ptrdiff_t>(row / 8)] >> row % 8 & 1);
                truth += static_cast<std::ptrdiff_t>(bytes);
            }
        }
    }

    void make_fours(const DerivedRules &rules) {
        for (std::size_t first = 0; first < rules.far.size(); first += 4) {
            const std::vector<std::uint32_t> facts(
                rules.far.begin() + static_cast<std::ptrdiff_t>(first),
                rules.far.begin() + static_cast<std::ptrdiff_t>(std::min(first + 4, rules.far.size())));
            fours.push_back(add_table(facts, 16));
            for (std::size_t row = 0; row < 16; ++row)
                for (std::size_t i = 0; i < facts.size(); ++i)
                    tell(fours.back(), row, facts[i], row >> i & 1);
        }
    }

    // An empty table of what the facts say.
    Table add_table(const std::vector<std::uint32_t> &facts, std::size_t nr_rows) {
        Table table{~std::uint32_t{0}, 0, rows.size()};
        for (const std::uint32_t fact : facts)
            for (const Masks *masks : {&holding_[fact], &failing_[fact]})
                for (const Mask &mask : *masks) {
                    table.first = std::min(table.first, mask.word);
                    table.end = std::max(table.end, mask.word + 1);
                }
        table.first = std::min(table.first, table.end);
        rows.resize(rows.size() + nr_rows * (table.end - table.first));
        return table;
    }

    void tell(const Table &table, std::size_t row, std::uint32_t fact, bool holds) {
        for (const Mask &mask : holds ? holding_[fact] : failing_[fact])
            rows[table.row + row * (table.end - table.first) + mask.word - table.first] |= mask.bits;
    }

    const std::vector<Near> groups_;
    const std::vector<std::uint32_t> times_; // by fact: how many tables tell of it
    const std::size_t nr_facts_;
    // By fact: the alternatives that count and the obligations that ask nothing, after them, if it holds; and the
    // obligations that ask nothing if it does not hold.
    std::vector<Masks> holding_;
    std::vector<Masks> failing_;
    std::vector<Alternative> alternatives_;
    std::vector<std::vector<std::uint32_t>> listed_; // the obligations as they were read
};

RuleTables::RuleTables(const DerivedRules &rules, const asset_model &model) : RuleTables(Maker(rules, model)) {}

RuleTables::RuleTables(const Maker &maker)
    : nr_nodes(maker.nr_nodes), nr_alternatives(maker.nr_alternatives), unconditional(maker.unconditional),
      groups(maker.groups), fours(maker.fours), rows(maker.rows), with_node(maker.with_node),
      obligations(maker.obligations), met_by(maker.met_by), homes(maker.homes), keys(maker.keys), of(maker.of) {}

} // namespace asset

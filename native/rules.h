// Derived stubborn set rules (asset.ir.derived), as they cross the boundary and as tables of bits.
//
// The nodes are the commands, then imaginary transitions. An *alternative* is a set of nodes that counts if a fact
// holds. An *obligation* is met by one alternative that is in the set whole. A *case* of a node lists the obligations
// that a set with the node must meet if all the case's facts hold. After the imaginary transitions, some commands have
// a further node, which makes the command a key of the set; others are keys themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abi.h"
#include "arena.h"

namespace asset {

// As flat lists:
struct DerivedRules {
    std::uint32_t nr_nodes = 0;
    std::vector<std::uint32_t> alternatives{}; // for each: its fact plus one or 0 for none, how many nodes, the nodes
    std::vector<std::uint32_t> obligations{};  // for each: how many alternatives, their numbers
    std::vector<std::uint32_t> cases{};        // for each: its node, how many facts, the facts, how many obligations,
                                               // their numbers
    std::vector<std::uint32_t> groups{};       // of facts: how many cells, for each of these its word, shift and width;
                                               // how many facts that speak of no other cells, the facts. A fact may be
                                               // in several groups, and far: it holds if one of them says so, if it is
                                               // one of alternatives only, or if all do, if it is one of cases only
    std::vector<std::uint8_t> truths{};        // for each of these facts, group by group: a bit for each value that the
                                               // cells have together, the first one lowest; full bytes
    std::vector<std::uint32_t> far{};          // the facts that are in no group, in the order of asset_model.facts
    std::vector<std::uint64_t> initial{};      // the words of the initial state
    std::vector<std::uint32_t> writes{};       // for each command: how many cells it may change, for each of these its
                                               // word, shift and width. For the last commands there may be nothing.
    std::vector<std::uint32_t> keys{};         // for each command the node that makes it a key; or none at all
};

// Some bits of one word of a bit set.
struct Mask {
    std::uint32_t word;
    Word bits;
};

// Lists of things, one after the other.
template <class T> class Lists {
  public:
    explicit Lists(const std::vector<std::vector<T>> &lists) {
        for (const std::vector<T> &list : lists) {
            items_.insert(items_.end(), list.begin(), list.end());
            ends_.push_back(static_cast<std::uint32_t>(items_.size()));
        }
    }

    std::span<const T> operator[](std::size_t list) const {
        return {items_.data() + ends_[list], items_.data() + ends_[list + 1]};
    }

  private:
    std::vector<T> items_;
    std::vector<std::uint32_t> ends_{0};
};

// The rules as what a choice does with them, with bit sets of nodes, of alternatives and of obligations. An obligation
// of two cases counts as two here, so that each has one node. An alternative without nodes is none here: if its fact
// holds, the obligations that it meets ask nothing.
struct RuleTables {
    // Throws std::invalid_argument if the lists do not make sense for the model.
    RuleTables(const DerivedRules &rules, const asset_model &model);

    static std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

    struct Obligation {
        std::uint32_t node;
        std::uint32_t first, end; // its alternatives, in met_by
    };

    // What some facts say, row by row: words from `first` up to `end` of a bit set that has the alternatives that count
    // and then the obligations that ask nothing. The rows are one after the other in `rows`, from `row` on.
    struct Table {
        std::uint32_t first, end;
        std::size_t row;
    };

    // Cells that are side by side in a state.
    struct Part {
        std::uint32_t word, shift;
        Word mask;
        std::uint32_t to; // their place in the number of a row
    };

    // What all facts about some cells say: a row for each value that these cells have together.
    struct Group {
        std::vector<Part> parts;
        Table table;
    };

    // What these bits of a word are in the initial state.
    struct Home {
        std::uint32_t word;
        Word bits, initial;
    };

    std::uint32_t nr_nodes;
    std::size_t nr_alternatives;
    std::vector<Word> unconditional; // the alternatives that need no fact
    std::vector<Group> groups;
    std::vector<Table>
        fours; // by each four of the far facts: a row for each of the sixteen ways in which they can hold
    std::vector<Word> rows;
    Lists<Mask> with_node; // by node: the alternatives that have it
    std::vector<Obligation> obligations;
    std::vector<Mask> met_by;
    Lists<Home> homes;               // by command: the cells that it may change
    std::vector<std::uint32_t> keys; // by command: the node that makes it a key; empty if each is one by itself
    std::vector<std::uint32_t> of;   // by node: the command that it makes a key, or the node itself

  private:
    class Maker;
    explicit RuleTables(const Maker &maker);
};

} // namespace asset

// Derived stubborn set rules (asset.ir.derived), as they cross the boundary and as tables of bits.
//
// The nodes are the commands, then imaginary transitions. An *alternative* is a set of nodes that counts where a fact
// holds. An *obligation* is met by one alternative that is in the set whole. A *case* of a node lists the obligations
// that a set with the node must meet where all the case's facts hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arena.h"

namespace asset {

// As flat lists:
struct DerivedRules {
    std::uint32_t nr_nodes = 0;
    std::vector<std::uint32_t> alternatives{}; // for each: its fact plus one or 0 for none, how many nodes, the nodes
    std::vector<std::uint32_t> obligations{};  // for each: how many alternatives, their numbers
    std::vector<std::uint32_t> cases{};        // for each: its node, how many facts, the facts, how many obligations,
                                               // their numbers
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

// The rules as what a choice does with them, with bit sets of nodes, of alternatives and of cases. An obligation of two
// cases counts as two here, so that each has one node.
struct RuleTables {
    // Throws std::invalid_argument where the lists do not make sense for that many commands and facts.
    RuleTables(const DerivedRules &rules, std::uint32_t nr_commands, std::uint32_t nr_facts);

    static std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

    struct Obligation {
        std::uint32_t node;
        std::uint32_t first, end; // its alternatives, in met_by
    };

    struct Case {
        std::uint32_t first, end; // its obligations
    };

    // What four facts say, for each of the sixteen ways in which they can hold: words from `first` up to `end` of a bit
    // set that has the alternatives that count and then the cases that do not apply. They are one after the other
    // in `rows`, from `row` on.
    struct Four {
        std::uint32_t first, end;
        std::size_t row;
    };

    std::uint32_t nr_nodes;
    std::size_t nr_alternatives;
    std::vector<Word> unconditional; // the alternatives that need no fact
    std::vector<Four> fours;
    std::vector<Word> rows;
    Lists<Mask> with_node; // by node: the alternatives that have it
    std::vector<Obligation> obligations;
    std::vector<Mask> met_by;
    std::vector<Case> cases;

  private:
    class Maker;
    explicit RuleTables(const Maker &maker);
};

} // namespace asset

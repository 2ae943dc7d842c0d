// Branching time logic (CTL) on an explored state space: the states in which each part of a formula holds, in time
// linear in states, edges and parts. asset/engine/branching.py is the specification.
#pragma once

#include "fair_states.h"
#include "progress.h"

namespace asset {

class BranchingCheck {
  public:
    // The graph may be annotated.
    BranchingCheck(const Space &space, const Graph &graph, const GraphRequirement &required,
                   const AnnotatedGraph *annotated = nullptr);

    // The first start state in which the formula does not hold, with a run that shows why as far as a run can; or the
    // first state in which evaluating a predicate is a model error.
    std::optional<Lost> first_lost(bool lassos);

  private:
    // The states that lead to each state, as often as there are edges; found when first asked for.
    class Predecessors {
      public:
        Predecessors(const Space &space, const Graph &graph);
        std::span<const Id> operator[](Id state) const {
            return {sources_ + (state ? ends_[state - 1] : 0), sources_ + ends_[state]};
        }

      private:
        Region ends_region_, sources_region_;
        Edge *ends_;
        Id *sources_;
    };

    // The start states, or their representatives, are the first states that were found: how many these are.
    Id nr_starts() const;

    std::optional<Lost> assume();
    std::optional<Lost> observe();
    std::optional<Lost> observe_annotated();
    void observe_commands();
    void evaluate(const BranchingPart &part, Bits &holds);
    void some_next(const Bits &operand, Bits &holds) const;
    void some_until(const Bits &left, const Bits &right, Bits &holds);
    void some_always(const Bits &operand, Bits &holds);
    void some_fair(const Bits &operand, Bits &holds);
    void reach(const Bits &left, const Bits &ends, Bits &holds);

    // A run from the state that shows why the part has this value there.
    void show(std::uint32_t part, bool value, Id state, Lasso &run) const;
    void show_combined(const BranchingPart &part, bool value, Id state, Lasso &run) const;
    void show_until(const BranchingPart &part, Id state, Lasso &run) const;
    Lasso run_through(std::uint32_t part, Id state) const;

    const Predecessors &predecessors();
    bool holds(std::uint32_t part, Id state) const { return truths_[part][state]; }
    bool holds_fairly(std::uint32_t part, Id state) const { return holds(part, state) && begins_fair(state); }

    // Whether a run begins in the state that is one of those that the formula speaks of.
    bool begins_fair(Id state) const { return !live_ || (*live_)[state]; }

    const Space &space_;
    const Graph &graph_;
    const GraphRequirement &required_;
    const AnnotatedGraph *annotated_;
    std::vector<Bits> observed_; // for each observation, the states that have it
    std::vector<Bits> truths_;   // for each part, the states in which it holds
    std::optional<Predecessors> predecessors_;
    std::optional<ReadGraph> read_; // these three only if something is assumed of runs
    std::optional<FairStates> fair_;
    std::optional<Bits> live_; // the states in which fair runs begin
};

} // namespace asset

// A search as plain as can be, with parent pointers: what the engine must agree with.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "search.h"

namespace reference {

using State = std::vector<std::uint64_t>;

struct Outcome {
    asset::Stop stop = asset::Stop::complete;
    std::uint64_t states = 0, edges = 0, depth = 0, terminal_states = 0;
    std::optional<asset::Finding> finding;
};

class Search {
  public:
    Search(const asset_model &model, const asset::Options &options) : model_(model), options_(options) {}

    Outcome run() {
        State initial(model_.state_words);
        model_.initial(initial.data());
        std::vector<State> level{initial}, next;
        bool going = add(initial, {}, -1);
        while (going && !level.empty()) {
            for (const State &state : level)
                if (!(going = expand(state, next)))
                    break;
            ++level_;
            level = std::move(next);
            next.clear();
        }
        outcome_.states = parents_.size();
        return outcome_;
    }

  private:
    struct Parent {
        State state;
        std::int64_t command;
    };

    bool add(const State &state, const State &parent, std::int64_t command) {
        parents_[state] = {parent, command};
        return check(state, ASSET_INVARIANT);
    }

    bool expand(const State &state, std::vector<State> &next) {
        bool terminal = true;
        for (std::uint32_t command = model_.nr_commands; command-- > 0;) {
            State successor = state;
            const std::int32_t fired = model_.fire(successor.data(), command);
            if (fired < 0)
                return end_with(state, {.failing = command});
            if (fired == 0)
                continue;
            terminal = false;
            const bool fresh = !parents_.contains(successor);
            if (fresh && options_.max_states && parents_.size() >= options_.max_states) {
                outcome_.stop = asset::Stop::max_states;
                return false;
            }
            ++outcome_.edges;
            if (!fresh)
                continue;
            outcome_.depth = level_ + 1;
            next.push_back(successor);
            if (!add(successor, state, command))
                return false;
        }
        outcome_.terminal_states += terminal;
        return !terminal || check(state, ASSET_TERMINAL);
    }

    bool check(const State &state, int kind) {
        if (!options_.checked[kind])
            return true;
        std::uint64_t labels = 0;
        asset_fault fault{};
        model_.labels[kind](state.data(), 1, &labels, &fault);
        if (fault.code)
            return end_with(state, {.index = fault.command, .evaluating = kind});
        return labels & 1 || end_with(state, {.kind = kind});
    }

    bool end_with(State state, asset::Finding finding) {
        for (;;) {
            const Parent &parent = parents_[state];
            finding.commands.insert(finding.commands.begin(), parent.command);
            finding.states.insert(finding.states.begin(), state.begin(), state.end());
            if (parent.command < 0)
                break;
            state = State(parent.state);
        }
        outcome_.finding = finding;
        outcome_.stop = asset::Stop::finding;
        return false;
    }

    const asset_model &model_;
    const asset::Options options_;
    std::map<State, Parent> parents_;
    std::uint64_t level_ = 0;
    Outcome outcome_;
};

} // namespace reference

// A search as plain as can be, with parent pointers and all edges: what the engine must agree with. Progress is checked
// by naive fixed points, and every cycle is tried. The product with an automaton has all of its vertices and edges.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "progress.h"

namespace reference {

using State = std::vector<std::uint64_t>;
using asset::During;
using asset::Finding;

struct Outcome {
    asset::Stop stop = asset::Stop::complete;
    std::uint64_t states = 0, edges = 0, depth = 0, terminal_states = 0;
    std::optional<Finding> finding;
};

// The label is a command, or whatever tells edges apart.
struct Edge {
    std::uint64_t label;
    std::size_t target;
};

using Set = std::vector<bool>;
using Path = std::vector<Edge>;

// A path, and where its last edge leads back to, if it does not end.
struct Lasso {
    Path path;
    std::optional<std::size_t> cycle;
};

struct Digraph {
    std::vector<std::vector<Edge>> edges; // by vertex

    std::size_t size() const { return edges.size(); }

    Set unable_to_reach(Set good) const {
        const auto to_good = [&](const Edge &edge) { return good[edge.target]; };
        grow(good, [&](std::size_t vertex) { return std::ranges::any_of(edges[vertex], to_good); });
        good.flip();
        return good;
    }

    Set able_to_avoid(Set good) const {
        const auto to_good = [&](const Edge &edge) { return good[edge.target]; };
        grow(good,
             [&](std::size_t vertex) { return !edges[vertex].empty() && std::ranges::all_of(edges[vertex], to_good); });
        good.flip();
        return good;
    }

    Set reachable_from(Set starts) const {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t vertex = 0; vertex < size(); ++vertex)
                for (const Edge &edge : edges[vertex])
                    if (starts[vertex] && !starts[edge.target])
                        changed = starts[edge.target] = true;
        }
        return starts;
    }

    // A shortest path of at least one edge.
    std::optional<Path> shortest(std::size_t from, std::size_t to) const {
        std::map<std::size_t, Path> paths;
        std::vector<std::size_t> queue{from};
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const Path path = paths[queue[i]];
            for (const Edge &edge : edges[queue[i]]) {
                Path longer = path;
                longer.push_back(edge);
                if (edge.target == to)
                    return longer;
                if (edge.target != from && paths.emplace(edge.target, longer).second)
                    queue.push_back(edge.target);
            }
        }
        return std::nullopt;
    }

    Digraph within(const Set &vertices) const {
        Digraph result{std::vector<std::vector<Edge>>(size())};
        for (std::size_t vertex = 0; vertex < size(); ++vertex)
            std::ranges::copy_if(edges[vertex], std::back_inserter(result.edges[vertex]),
                                 [&](const Edge &edge) { return vertices[edge.target]; });
        return result;
    }

    // Of the vertices, each has a successor among them or none at all.
    Lasso shortest_lasso(std::size_t start, const Set &vertices) const {
        const Digraph inside = within(vertices);
        std::optional<Lasso> best;
        for (std::size_t vertex = 0; vertex < size(); ++vertex) {
            std::optional<Path> stem = vertex == start ? Path() : inside.shortest(start, vertex);
            if (!vertices[vertex] || !stem)
                continue;
            Lasso found{*stem, {}};
            if (!edges[vertex].empty()) {
                const std::optional<Path> cycle = inside.shortest(vertex, vertex);
                if (!cycle)
                    continue;
                found.cycle = stem->size();
                found.path.insert(found.path.end(), cycle->begin(), cycle->end());
            }
            if (!best || found.path.size() < best->path.size())
                best = found;
        }
        return *best;
    }

    // Vertex `modes * v + m` is v with mode m; `after` says to which modes an edge leads from a mode.
    Digraph product(unsigned modes, const std::function<std::uint64_t(std::uint64_t, unsigned)> &after) const {
        Digraph result{std::vector<std::vector<Edge>>(modes * size())};
        for (std::size_t vertex = 0; vertex < result.size(); ++vertex)
            for (const Edge &edge : edges[vertex / modes])
                for (unsigned to = 0; to < modes; ++to)
                    if (after(edge.label, static_cast<unsigned>(vertex % modes)) >> to & 1)
                        result.edges[vertex].push_back({edge.label, modes * edge.target + to});
        return result;
    }

  private:
    static void grow(Set &set, const std::function<bool(std::size_t)> &belongs) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < set.size(); ++i)
                if (!set[i] && belongs(i))
                    changed = set[i] = true;
        }
    }
};

class Search {
  public:
    Search(const asset_model &model, const asset::Options &options) : model_(model), options_(options) {}

    Outcome run() {
        bool going = true;
        for (auto start = options_.starts.begin(); going && start != options_.starts.end(); start += model_.state_words)
            going = begin(State(start, start + model_.state_words));
        for (std::size_t i = 0; going && i < states_.size(); ++i)
            going = expand(i);
        for (std::size_t i = 0; going && i < options_.on_graph.size(); ++i)
            going = check(options_.on_graph[i]);
        outcome_.states = states_.size();
        return outcome_;
    }

  private:
    struct Parent {
        std::size_t state;
        std::int64_t command;
        std::uint64_t depth;
    };

    bool represent(State &state) const {
        asset_fault fault{};
        if (options_.symmetry)
            model_.representatives(state.data(), 1, &fault);
        return !fault.code;
    }

    bool begin(const State &start) {
        State state = start;
        if (!represent(state)) {
            outcome_.finding = Finding{.during = During::representative, .commands = {asset::none}, .states = start};
            outcome_.stop = asset::Stop::finding;
            return false;
        }
        return numbers_.contains(state) || (has_room() && add(state, 0, asset::none));
    }

    bool has_room() {
        const bool room = !options_.max_states || states_.size() < options_.max_states;
        if (!room)
            outcome_.stop = asset::Stop::max_states;
        return room;
    }

    bool add(const State &state, std::size_t parent, std::int64_t command) {
        const std::uint64_t depth = command == asset::none ? 0 : parents_[parent].depth + 1;
        numbers_[state] = states_.size();
        states_.push_back(state);
        parents_.push_back({parent, command, depth});
        outcome_.depth = depth;
        return check(states_.size() - 1, options_.in_states);
    }

    bool expand(std::size_t source) {
        graph_.edges.emplace_back();
        steps_.edges.emplace_back();
        const bool going = options_.stubborn ? fire_stubborn(source) : fire_all(source);
        if (!going || !steps_.edges[source].empty())
            return going;
        ++outcome_.terminal_states;
        return check(source, options_.in_terminal_states);
    }

    bool fire_all(std::size_t source) {
        for (std::uint32_t command = model_.nr_commands; command-- > 0;)
            if (!fire(source, command))
                return false;
        return true;
    }

    bool fire(std::size_t source, std::uint32_t command) {
        State successor = states_[source];
        const std::int32_t fired = model_.fire(successor.data(), command);
        if (fired <= 0)
            return fired == 0 || end_with(source, {.during = During::firing, .command = command});
        const bool step = options_.idle_steps || successor != states_[source];
        if (!represent(successor))
            return end_with(source, {.during = During::representative, .command = command});
        const bool fresh = !numbers_.contains(successor);
        if (fresh && !has_room())
            return false;
        ++outcome_.edges;
        graph_.edges[source].push_back({command, fresh ? states_.size() : numbers_[successor]});
        if (step)
            steps_.edges[source].push_back(graph_.edges[source].back());
        return !fresh || add(successor, source, command);
    }

    // Tarjan's algorithm as in the books.
    bool fire_stubborn(std::size_t source) {
        std::map<std::uint32_t, std::size_t> index, low;
        std::vector<std::uint32_t> stack;
        bool going = true;
        const std::function<void(std::uint32_t)> search = [&](std::uint32_t command) {
            const auto ended = [&] { return !going || !steps_.edges[source].empty(); };
            index[command] = low[command] = index.size();
            stack.push_back(command);
            std::vector<std::uint32_t> obligations(10000);
            const std::int64_t count = model_.obligations(states_[source].data(), command, obligations.data(), 10000);
            if (count < 0) {
                going = end_with(source, {.during = During::rule, .command = command});
                return;
            }
            obligations.resize(static_cast<std::size_t>(count));
            for (const std::uint32_t next : obligations) {
                if (!index.contains(next))
                    search(next);
                if (ended())
                    return;
                if (std::find(stack.begin(), stack.end(), next) != stack.end())
                    low[command] = std::min(low[command], low[next]);
            }
            if (low[command] != index[command])
                return;
            const auto first = std::find(stack.begin(), stack.end(), command);
            for (auto member = first; going && member != stack.end(); ++member)
                going = fire(source, *member);
            stack.erase(first, stack.end());
        };
        for (std::uint32_t command = model_.nr_commands; command-- > 0 && going && steps_.edges[source].empty();)
            if (!index.contains(command))
                search(command);
        return going;
    }

    // 1 if the predicate holds in the state, 0 if not, -1 if it is faulty.
    int holds(std::size_t state, std::int64_t predicate) const {
        const std::uint64_t wanted = std::uint64_t{1} << predicate;
        std::uint64_t truths = 0;
        asset_fault fault{};
        model_.predicates(states_[state].data(), 1, &wanted, &truths, &fault);
        return fault.code ? -1 : static_cast<int>(truths == wanted);
    }

    bool check(std::size_t state, const std::vector<asset::StateRequirement> &required) {
        for (const asset::StateRequirement &each : required) {
            const int answer = holds(state, each.predicate);
            if (answer < 0)
                return end_with(state, {.during = During::predicate, .predicate = each.predicate});
            if (!answer)
                return end_with(state, {.requirement = each.requirement});
        }
        return true;
    }

    bool check(const asset::GraphRequirement &required) {
        const auto rule = static_cast<asset::Rule>(required.rule);
        if (rule == asset::Rule::recurrence)
            return check_recurrence(required);
        const Digraph &graph = required.idle_steps ? graph_ : steps_;
        Set good;
        for (std::size_t state = 0; state < states_.size(); ++state) {
            const int answer = required.predicates.empty() ? 0 : holds(state, required.predicates[0]);
            if (answer < 0)
                return end_with(state, {.during = During::predicate, .predicate = required.predicates[0]});
            good.push_back(answer || (required.terminal_counts && graph.edges[state].empty()));
        }
        const Finding finding{.requirement = required.requirement};
        return show_loss(finding, graph,
                         rule == asset::Rule::must_progress ? graph.able_to_avoid(good) : graph.unable_to_reach(good));
    }

    bool show_loss(Finding finding, const Digraph &graph, const Set &lost) {
        const auto start = static_cast<std::size_t>(std::find(lost.begin(), lost.end(), true) - lost.begin());
        if (start == lost.size())
            return true;
        const Lasso lasso = graph.shortest_lasso(start, lost);
        return end_with(start, std::move(finding), lasso.path, lasso.cycle);
    }

    // In mode 1, a command of `again` was fired.
    bool check_recurrence(const asset::GraphRequirement &required) {
        const auto in = [](const std::vector<std::uint32_t> &set, std::uint64_t command) {
            return std::find(set.begin(), set.end(), command) != set.end();
        };
        const Digraph product = graph_.product(2, [&](std::uint64_t command, unsigned mode) {
            return in(required.commands[1], command) ? 0 : mode || in(required.commands[0], command) ? 2 : 1;
        });
        for (std::size_t state = 0; state < states_.size(); ++state)
            if (std::optional<Path> cycle = product.shortest(2 * state, 2 * state + 1)) {
                for (Edge &edge : *cycle)
                    edge.target /= 2;
                return end_with(state, {.requirement = required.requirement}, *cycle, 0);
            }
        return true;
    }

    // `run` is how it goes on, of a requirement on the graph.
    bool end_with(std::size_t state, Finding finding, const std::optional<Path> &run = {},
                  std::optional<std::size_t> cycle_at = {}) {
        if (run)
            finding.progress_lost_at = static_cast<std::int64_t>(parents_[state].depth);
        if (cycle_at)
            finding.cycle_starts_at = finding.progress_lost_at + static_cast<std::int64_t>(*cycle_at);
        for (std::size_t at = state;; at = parents_[at].state) {
            finding.commands.insert(finding.commands.begin(), parents_[at].command);
            finding.states.insert(finding.states.begin(), states_[at].begin(), states_[at].end());
            if (parents_[at].command == asset::none)
                break;
        }
        for (const Edge &edge : run.value_or(Path())) {
            finding.commands.push_back(static_cast<std::int64_t>(edge.label));
            finding.states.insert(finding.states.end(), states_[edge.target].begin(), states_[edge.target].end());
        }
        outcome_.finding = finding;
        outcome_.stop = asset::Stop::finding;
        return false;
    }

    const asset_model &model_;
    const asset::Options options_;
    std::vector<State> states_;
    std::map<State, std::size_t> numbers_;
    std::vector<Parent> parents_;
    Digraph graph_;
    Digraph steps_; // without those that change nothing, unless these are steps
    Outcome outcome_;
};

} // namespace reference

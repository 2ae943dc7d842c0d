// Products of graphs with automata, compared with all their vertices and edges written out, on random ones.
#include <map>
#include <random>
#include <set>

#include "expect.h"
#include "lasso.h"
#include "prospects.h"
#include "reference.h"
#include "settling.h"

using asset::Edge;
using asset::Graph;
using asset::Id;
using asset::Modes;
using asset::Settles;

namespace {

// An automaton that goes along an edge as a table says, from each mode to any number of modes.
template <bool Single> struct Relation {
    static constexpr bool single = Single;
    unsigned modes = 1;
    std::vector<std::vector<Modes>> tables; // by edge, by mode

    Modes after(Edge edge, unsigned mode) const { return tables[edge][mode]; }
    Modes before(Edge edge, Modes wanted) const {
        Modes result = 0;
        for (unsigned mode = 0; mode < modes; ++mode)
            result |= Modes{(after(edge, mode) & wanted) != 0} << mode;
        return result;
    }
};

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}

    std::uint32_t below(std::uint32_t limit) {
        return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(engine_);
    }

    void fill(Graph &graph, Id most_states) {
        const Id ids = 1 + below(most_states);
        const std::uint32_t most = 1 + below(4);
        for (Id id = 0; id < ids; ++id) {
            const std::uint32_t degree = below(most + 1);
            graph.make_room(1, degree);
            for (std::uint32_t i = 0; i < degree; ++i)
                graph.targets()[i] = below(ids);
            graph.add(id, degree);
        }
        graph.make_room(1, 0);
        graph.finish(ids);
    }

    template <bool Single> Relation<Single> relation(Edge edges) {
        Relation<Single> result{.modes = Single ? 1 : 1 + below(6), .tables = {}};
        const std::uint32_t density = 1 + below(3); // mostly less than one mode after another
        for (Edge edge = 0; edge < edges; ++edge) {
            result.tables.emplace_back(result.modes);
            for (Modes &to : result.tables.back())
                for (unsigned mode = 0; mode < result.modes; ++mode)
                    to |= Modes{below(2 * result.modes) < density} << mode;
        }
        return result;
    }

    // Every edge leads from each mode to one: a function.
    Relation<false> function(Edge edges) {
        Relation<false> result{.modes = 64, .tables = {}};
        for (Edge edge = 0; edge < edges; ++edge) {
            result.tables.emplace_back();
            for (unsigned mode = 0; mode < result.modes; ++mode)
                result.tables.back().push_back(Modes{1} << below(result.modes));
        }
        return result;
    }

  private:
    std::mt19937 engine_;
};

// A product, and the same written out.
template <bool Single> class Sample {
  public:
    using Product = asset::Product<Relation<Single>>;
    using Vertex = typename Product::Vertex;
    using Set = typename Product::Set;

    Sample(Random &random, asset::Budget &budget, const Graph &graph, const Relation<Single> &relation)
        : random_(random), modes_(relation.modes), product_(graph, relation, budget, interrupted_),
          expected_(plain(graph).product(modes_, [&](Edge edge, unsigned m) { return relation.after(edge, m); })) {}

    void expect_agreement() {
        std::vector<Vertex> starts;
        for (std::uint32_t i = 1 + random_.below(3); i-- > 0;)
            starts.push_back(vertex(random_.below(static_cast<std::uint32_t>(expected_.size()))));
        expect_reachable(starts);
        expect_components();
        expect_ways(starts);
        for (const Settles rule : {Settles::by_some, Settles::by_all})
            expect_settled(rule);
    }

  private:
    static reference::Digraph plain(const Graph &graph) {
        reference::Digraph result;
        for (Id id = 0; id < graph.ids(); ++id) {
            result.edges.emplace_back();
            for (Edge edge = graph.first_edge(id); edge < graph.end_edge(id); ++edge)
                result.edges.back().push_back({edge, graph.target(edge)});
        }
        return result;
    }

    Vertex vertex(std::size_t number) const {
        const auto state = static_cast<Id>(number / modes_);
        if constexpr (Single)
            return {state};
        else
            return {state, static_cast<std::uint8_t>(number % modes_)};
    }
    std::size_t number(const Vertex &vertex) const { return vertex.state * modes_ + vertex.mode; }

    bool same(const Set &found, const reference::Set &expected) const {
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (found.has(vertex(i)) != expected[i])
                return false;
        return true;
    }

    Set some_vertices(const reference::Set &chosen) const {
        Set result = product_.nothing();
        for (std::size_t i = 0; i < chosen.size(); ++i)
            if (chosen[i])
                result.add(vertex(i).state, vertex(i).as_set());
        return result;
    }

    void expect_reachable(const std::vector<Vertex> &starts) const {
        reference::Set begun(expected_.size());
        for (const Vertex &start : starts)
            begun[number(start)] = true;
        EXPECT(same(product_.reachable_from(starts), expected_.reachable_from(begun)));
    }

    void expect_settled(Settles rule) {
        reference::Set good(expected_.size());
        for (std::size_t i = 0; i < good.size(); ++i)
            good[i] = random_.below(6) == 0;
        const reference::Set left =
            rule == Settles::by_some ? expected_.unable_to_reach(good) : expected_.able_to_avoid(good);
        good.flip();
        Set unsettled = some_vertices(good);
        asset::Settling(product_, unsettled, rule).run();
        EXPECT(same(unsettled, left));
        for (int tries = 0; tries < 10; ++tries)
            if (const std::size_t start = random_.below(static_cast<std::uint32_t>(left.size())); left[start])
                expect_lasso(start, unsettled, left);
    }

    void expect_lasso(std::size_t start, const Set &among, const reference::Set &left) const {
        const reference::Lasso shortest = expected_.shortest_lasso(start, left);
        for (const std::size_t nearby : {std::size_t{2}, std::size_t{1000}}) {
            const asset::Lasso found = asset::LassoSearch(product_, among, nearby).from(vertex(start));
            EXPECT(found.edges.size() == shortest.path.size());
            expect_run(start, found, left);
        }
    }

    // Some run of the product stays among the vertices, goes along these edges, and ends or comes back as is said.
    void expect_run(std::size_t start, const asset::Lasso &lasso, const reference::Set &among) const {
        reference::Set here(expected_.size());
        here[start] = true;
        std::vector<reference::Set> at{here};
        for (const Edge edge : lasso.edges) {
            reference::Set next(expected_.size());
            for (std::size_t i = 0; i < next.size(); ++i)
                for (const reference::Edge &each : expected_.edges[i])
                    if (at.back()[i] && each.label == edge && among[each.target])
                        next[each.target] = true;
            at.push_back(next);
        }
        bool ends_well = false;
        for (std::size_t i = 0; i < expected_.size(); ++i)
            ends_well |= at.back()[i] && (lasso.cycle ? at[*lasso.cycle][i] : expected_.edges[i].empty());
        EXPECT(ends_well);
    }

    void expect_components() const {
        asset::Components<Product> components(product_, {product_.budget(), everything()});
        std::map<std::size_t, std::size_t> component; // by vertex
        std::size_t visited = 0;
        for (std::size_t root = 0; root < expected_.size(); ++root)
            if (!components.visited(vertex(root)))
                components.search_from(
                    vertex(root), [](const Vertex &) { return true; },
                    [&](std::span<const Vertex> members) {
                        for (const Vertex &member : members)
                            component[number(member)] = visited;
                        ++visited;
                    });
        EXPECT(component.size() == expected_.size());
        for (std::size_t a = 0; a < expected_.size(); ++a) {
            reference::Set only(expected_.size());
            only[a] = true;
            const reference::Set reachable = expected_.reachable_from(only);
            for (const reference::Edge &edge : expected_.edges[a]) {
                const std::size_t b = edge.target;
                EXPECT(component[b] <= component[a]);
                EXPECT(components.together(vertex(a), vertex(b)) == (component[a] == component[b]));
            }
            for (std::size_t b = 0; b < expected_.size(); ++b)
                EXPECT(component[a] != component[b] || reachable[b]);
        }
    }

    Set everything() const { return some_vertices(reference::Set(expected_.size(), true)); }

    void expect_ways(const std::vector<Vertex> &starts) const {
        const auto anything = [](const Vertex &) { return true; };
        for (std::size_t end = 0; end < expected_.size(); ++end) {
            std::optional<std::size_t> shortest;
            for (const Vertex &start : starts) {
                const auto way = number(start) == end ? reference::Path() : expected_.shortest(number(start), end);
                if (way && (!shortest || way->size() < *shortest))
                    shortest = way->size();
            }
            asset::Breadth ways(product_);
            ways.search(starts, anything, [&](const Vertex &each) { return number(each) == end; });
            const std::size_t last = ways.size() - 1;
            EXPECT((number(ways[last]) == end) == shortest.has_value());
            if (shortest)
                EXPECT(ways.path_to(last).size() == *shortest);
        }
    }

    Random &random_;
    const std::size_t modes_;
    const std::atomic<bool> interrupted_{false};
    const Product product_;
    const reference::Digraph expected_;
};

template <class Make> void expect_agreement_on_random_graphs(unsigned samples, Id most_states, const Make &make) {
    asset::Budget budget(std::size_t{1} << 30);
    for (unsigned seed = 0; seed < samples; ++seed) {
        Random random(seed);
        Graph graph(budget);
        random.fill(graph, most_states);
        const auto relation = make(random, graph.edges());
        const int before = failures;
        Sample<relation.single>(random, budget, graph, relation).expect_agreement();
        if (failures > before)
            std::printf("on the sample with seed %u\n", seed);
    }
    EXPECT(budget.used() == 0);
}

void products_with_relations_are_those_that_are_written_out() {
    expect_agreement_on_random_graphs(200, 20,
                                      [](Random &random, Edge edges) { return random.relation<false>(edges); });
}

void products_with_functions_are_those_that_are_written_out() {
    expect_agreement_on_random_graphs(20, 3, [](Random &random, Edge edges) { return random.function(edges); });
}

void an_automaton_with_one_mode_leaves_out_edges() {
    expect_agreement_on_random_graphs(200, 60, [](Random &random, Edge edges) { return random.relation<true>(edges); });
}

// What a walk has collected when it comes to a vertex, for all walks of one step and more from there.
std::set<std::pair<std::uint32_t, std::uint64_t>> walks(std::uint32_t start, const std::vector<asset::Arrow> &arrows) {
    std::set<std::pair<std::uint32_t, std::uint64_t>> found;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> left{{start, 0}};
    while (!left.empty()) {
        const auto [vertex, marks] = left.back();
        left.pop_back();
        for (const asset::Arrow &arrow : arrows)
            if (arrow.source == vertex && found.emplace(arrow.target, marks | arrow.marks).second)
                left.emplace_back(arrow.target, marks | arrow.marks);
    }
    return found;
}

void prospects_are_those_of_the_walks_that_there_are() {
    std::mt19937 random(16);
    for (int example = 0; example < 300; ++example) {
        const std::uint32_t vertices = 1 + random() % 8 + (example % 10 ? 0 : 64); // rows of one word, and of two
        std::vector<asset::Arrow> arrows(random() % (2 * vertices));
        for (asset::Arrow &arrow : arrows)
            arrow = {static_cast<std::uint32_t>(random() % vertices), static_cast<std::uint32_t>(random() % vertices),
                     random() % 4};
        const std::vector<asset::Prospect> found = asset::prospects(vertices, arrows, 3);
        std::set<std::uint32_t> accepting;
        for (std::uint32_t vertex = 0; vertex < vertices; ++vertex)
            if (walks(vertex, arrows).contains({vertex, 3}))
                accepting.insert(vertex);
        for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
            const bool leads = std::ranges::any_of(walks(vertex, arrows),
                                                   [&](const auto &end) { return accepting.contains(end.first); });
            EXPECT((found[vertex] == asset::Prospect::here) == accepting.contains(vertex));
            EXPECT((found[vertex] >= asset::Prospect::elsewhere) == leads);
        }
    }
}

void arrows_are_reachable_if_a_walk_comes_to_them() {
    const std::vector<asset::Arrow> arrows = {{0, 1, 1}, {1, 2, 2}, {3, 1, 3}, {3, 3, 0}, {4, 0, 0}};
    const auto marks = [&](const std::vector<std::uint32_t> &starts) {
        std::vector<std::uint64_t> result;
        for (const asset::Arrow &arrow : asset::reachable(arrows, 5, starts))
            result.push_back(arrow.marks);
        return result;
    };
    EXPECT((marks({0}) == std::vector<std::uint64_t>{1, 2}));
    EXPECT((marks({3}) == std::vector<std::uint64_t>{2, 3, 0}));
    EXPECT((marks({2}).empty()));
    EXPECT((marks({1, 4}) == std::vector<std::uint64_t>{1, 2, 0}));
}

} // namespace

int main() {
    prospects_are_those_of_the_walks_that_there_are();
    arrows_are_reachable_if_a_walk_comes_to_them();
    products_with_relations_are_those_that_are_written_out();
    products_with_functions_are_those_that_are_written_out();
    an_automaton_with_one_mode_leaves_out_edges();
    return told();
}

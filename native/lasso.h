// Short runs that never make progress: from a vertex to a cycle, or to a vertex without successors.
#pragma once

#include <optional>
#include <vector>

#include "components.h"

namespace asset {

// Edges one after the other. The last leads back to where edge number `cycle` begins, unless that is none: then to the
// end of a run.
struct Lasso {
    std::vector<Edge> edges{};
    std::optional<std::size_t> cycle{};
};

// A breadth-first search, and the shortest ways to all that it met.
template <class Product> class Breadth {
  public:
    using Vertex = typename Product::Vertex;

    explicit Breadth(const Product &product) : product_(product), seen_(product.nothing()), met_(product.budget()) {}

    // Forgets everything.
    void clear() {
        for (const Met &met : met_.from(0))
            seen_.remove(met.vertex);
        met_.shrink(0);
    }

    // The edge leads to the vertex from the one at position `from`. False if it was met before.
    bool meet(const Vertex &vertex, std::size_t from = beginning, Edge edge = 0) {
        if (seen_.has(vertex))
            return false;
        if (met_.size() == beginning)
            throw std::bad_alloc();
        seen_.add(vertex);
        met_.push_back({vertex, static_cast<std::uint32_t>(from), edge});
        return true;
    }

    // Meets vertices that are `among`, from the starts on, up to the first that is `wanted`; there is one. The vertex
    // that was met last is that one.
    template <class Among, class Wanted>
    void search(std::span<const Vertex> starts, const Among &among, const Wanted &wanted) {
        for (const Vertex &start : starts)
            if (meet(start) && wanted(start))
                return;
        for (std::size_t i = 0; i < size(); ++i) {
            product_.heed_interrupt();
            if (product_.visit((*this)[i], [&](Edge edge, const Vertex &next) {
                    return among(next) && meet(next, i, edge) && wanted(next);
                }))
                return;
        }
    }

    // Vertices in the order in which they were met.
    std::size_t size() const { return met_.size(); }
    Vertex operator[](std::size_t position) const { return met_[position].vertex; }

    const typename Product::Set &seen() const { return seen_; }

    // Whether the search began with the vertex at a position; else the position that it was met from.
    bool is_first(std::size_t position) const { return met_[position].from == beginning; }
    std::size_t before(std::size_t position) const { return met_[position].from; }

    // Where the path to the vertex at a position begins, and the edges of a shortest one.
    Vertex begin_of(std::size_t position) const {
        while (!is_first(position))
            position = before(position);
        return met_[position].vertex;
    }
    std::vector<Edge> path_to(std::size_t position) const {
        std::vector<Edge> path;
        for (; !is_first(position); position = before(position))
            path.push_back(met_[position].edge);
        std::reverse(path.begin(), path.end());
        return path;
    }

  private:
    struct Met {
        Vertex vertex;
        std::uint32_t from;
        Edge edge;
    };

    static constexpr std::uint32_t beginning = ~std::uint32_t{0};

    const Product &product_;
    typename Product::Set seen_;
    Sequence<Met> met_;
};

// Short lassos among some vertices, each of which has a successor there or is terminal.
template <class Product> class LassoSearch {
  public:
    using Vertex = typename Product::Vertex;
    using Set = typename Product::Set;

    // First only so many vertices near the start are looked at: they are enough if the lasso is short.
    LassoSearch(const Product &product, const Set &among, std::size_t nearby = std::size_t{1} << 20)
        : product_(product), among_(among), nearby_(nearby),
          affordable_(std::max(affordable_edges, 2 * product.graph().edges())), cyclic_(product.nothing()),
          reached_(product), cycle_(product) {}

    // A shortest one; or, if finding that would take too long, a shortest of those tried. It depends on nothing but
    // the graph.
    Lasso from(const Vertex &start) {
        reached_.meet(start);
        for (std::size_t many = nearby_;; many *= farther) {
            reach(many);
            shorten_all();
            // Those nearer than the last two counts say were looked at, and so were all vertices of a shorter lasso.
            if (all_reached_ || (length_ != no_length && length_ + 2 < nearer_.size()))
                return best_;
        }
    }

  private:
    static constexpr std::size_t no_length = ~std::size_t{0};

    // How many times as many vertices are looked at if those near the start were too few.
    static constexpr std::size_t farther = 16;

    // In search of a shorter lasso so many edges are looked at, or those of the whole graph twice if they are more.
    static constexpr std::uint64_t affordable_edges = std::uint64_t{1} << 22;

    // Meets vertices until there are so many, or all, or those up to the first terminal one: that is the best end so
    // far. Then all vertices that a shorter lasso could have were met.
    void reach(std::size_t many) {
        for (; expanded_ < reached_.size(); ++expanded_) {
            product_.heed_interrupt();
            const Vertex vertex = reached_[expanded_];
            if (expanded_ == nearer_.back())
                nearer_.push_back(reached_.size());
            if (product_.terminal(vertex)) {
                end_in(expanded_);
                break;
            }
            if (reached_.size() >= many)
                return;
            product_.visit(vertex, [&](Edge edge, const Vertex &next) {
                if (among_.has(next))
                    reached_.meet(next, expanded_, edge);
                return false;
            });
        }
        all_reached_ = true;
    }

    void end_in(std::size_t position) {
        std::vector<Edge> path = reached_.path_to(position);
        if (path.size() > length_)
            return;
        length_ = path.size();
        best_ = {std::move(path), std::nullopt};
    }

    // Tries each vertex that was reached and is on a cycle as the one where the cycle begins, the nearest first.
    void shorten_all() {
        Components<Product> components(product_, {product_.budget(), reached_.seen()});
        find_cyclic(components);
        looked_at_ = 0;
        for (std::size_t distance = 0; distance + 1 < std::min(length_, nearer_.size()); ++distance)
            for (std::size_t i = nearer_[distance]; i < nearer_[distance + 1] && distance + 1 < length_; ++i)
                if (cyclic_.has(reached_[i]) && !shorten(components, i, distance)) {
                    all_reached_ = true; // there is no time for more
                    return;
                }
    }

    void find_cyclic(Components<Product> &components) {
        const auto among = [&](const Vertex &vertex) { return reached_.seen().has(vertex); };
        components.search_from(reached_[0], among, [&](std::span<const Vertex> members) {
            const auto to_itself = [&](Edge, const Vertex &next) { return next == members[0]; };
            if (members.size() > 1 || product_.visit(members[0], to_itself))
                for (const Vertex &member : members)
                    cyclic_.add(member.state, member.as_set());
        });
    }

    // The best is at most as long as one whose cycle begins in the vertex at the position, which is so many steps away.
    // False if there is no time for trying another.
    bool shorten(const Components<Product> &components, std::size_t position, std::size_t distance) {
        const Vertex start = reached_[position];
        cycle_.clear();
        cycle_.meet(start);
        std::size_t length = distance + 1; // with the next edge
        std::size_t level_end = 1;
        for (std::size_t i = 0; i < cycle_.size() && length < length_; ++i) {
            product_.heed_interrupt();
            Edge back = 0;
            const bool closed = product_.visit(cycle_[i], [&](Edge edge, const Vertex &next) {
                ++looked_at_;
                back = edge;
                if (next == start)
                    return true;
                if (reached_.seen().has(next) && components.together(next, start))
                    cycle_.meet(next, i, edge);
                return false;
            });
            if (closed) {
                close(position, i, back);
                break;
            }
            if (i + 1 == level_end) {
                level_end = cycle_.size();
                ++length;
            }
        }
        return looked_at_ < affordable_;
    }

    // The best goes to the vertex at the position, on to the last of the cycle, and back by the edge.
    void close(std::size_t position, std::size_t last, Edge back) {
        best_.edges = reached_.path_to(position);
        best_.cycle = best_.edges.size();
        const std::vector<Edge> cycle = cycle_.path_to(last);
        best_.edges.insert(best_.edges.end(), cycle.begin(), cycle.end());
        best_.edges.push_back(back);
        length_ = best_.edges.size();
    }

    const Product &product_;
    const Set &among_;
    const std::size_t nearby_;
    const std::uint64_t affordable_; // edges to look at in search of cycles
    Set cyclic_;                     // vertices on a cycle
    Breadth<Product> reached_;
    Breadth<Product> cycle_;
    std::size_t expanded_ = 0;           // of those reached
    bool all_reached_ = false;           // that a shorter lasso could have
    std::vector<std::size_t> nearer_{0}; // how many vertices are nearer than 0, 1, … steps
    Lasso best_;
    std::size_t length_ = no_length; // of the best
    std::uint64_t looked_at_ = 0;
};

} // namespace asset

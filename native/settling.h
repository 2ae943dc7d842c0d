// Which vertices are sure of progress: a least fixed point, found in linear time.
#pragma once

#include <bit>

#include "components.h"

namespace asset {

// A vertex is settled if it is good to begin with, or if this many of its successors are settled.
enum class Settles {
    by_some, // a good vertex is reachable
    by_all,  // every run reaches a good vertex. A vertex without successors is not settled by them.
};

template <class Product> class Settling {
  public:
    using Vertex = typename Product::Vertex;
    using Set = typename Product::Set;

    // `unsettled` has all vertices that are not good; in the end, those that are not settled.
    Settling(const Product &product, Set &unsettled, Settles rule)
        : product_(product), graph_(product.graph()), unsettled_(unsettled), rule_(rule) {
        for (Id id = unsettled_.next(0); id < unsettled_.states(); id = unsettled_.next(id + 1))
            left_ += count(unsettled_[id]);
    }

    void run() {
        sweep();
        if (left_)
            go_through_components();
    }

  private:
    // Sweeps go on while each settles at least one in so many of the vertices that are left: all of them together take
    // no longer than so many over the whole graph.
    static constexpr std::uint64_t worthwhile = 32;

    // Most edges lead to states found later, so going from the last state to the first settles most at once, and reads
    // memory in order.
    void sweep() {
        std::uint64_t before;
        do {
            before = left_;
            for (Id id = graph_.ids(); id-- > 0;)
                if (const Modes open = unsettled_[id]) {
                    product_.heed_interrupt();
                    if (const Modes settled = settled_by_successors(id, open))
                        settle(id, settled);
                }
        } while (left_ && (before - left_) * worthwhile >= before);
    }

    // Decides about all vertices that are left. A component is visited after all that are reachable from it, so these
    // are decided; and in one with a cycle no vertex can be settled by all of its successors before the others.
    void go_through_components() {
        Components<Product> components(product_, {product_.budget(), unsettled_});
        const auto among = [&](const Vertex &vertex) { return unsettled_.has(vertex); };
        for (Id id = unsettled_.next(0); id < unsettled_.states(); id = unsettled_.next(id + 1))
            for_each_vertex(id, unsettled_[id], [&](const Vertex &root) {
                if (!components.visited(root))
                    components.search_from(root, among, [&](std::span<const Vertex> members) { decide(members); });
            });
    }

    template <class Use> static void for_each_vertex(Id id, Modes modes, const Use &use) {
        if constexpr (Product::single)
            use(Vertex{id});
        else
            for (; modes; modes &= modes - 1)
                use(Vertex{id, static_cast<std::uint32_t>(std::countr_zero(modes))});
    }

    void decide(std::span<const Vertex> members) {
        const auto settled = [&](const Vertex &vertex) {
            product_.heed_interrupt();
            return settled_by_successors(vertex.state, vertex.as_set()) != 0;
        };
        if (rule_ == Settles::by_all && members.size() > 1)
            return;
        if (std::any_of(members.begin(), members.end(), settled))
            for (const Vertex &vertex : members) {
                product_.heed_interrupt();
                settle(vertex.state, vertex.as_set());
            }
    }

    // Those of some vertices of a state that are settled by their successors.
    Modes settled_by_successors(Id id, Modes open) const {
        return rule_ == Settles::by_some ? settled_by_some(id, open) : settled_by_all(id, open);
    }

    Modes settled_by_some(Id id, Modes open) const {
        Modes settled = 0;
        for (Edge edge = graph_.first_edge(id), end = graph_.end_edge(id); edge < end; ++edge) {
            settled |= product_.before(edge, ~unsettled_[graph_.target(edge)] & all_modes);
            if (!(open & ~settled))
                break;
        }
        return settled & open;
    }

    Modes settled_by_all(Id id, Modes open) const {
        Modes moving = 0;
        for (Edge edge = graph_.first_edge(id), end = graph_.end_edge(id); open && edge < end; ++edge) {
            moving |= product_.before(edge, all_modes);
            open &= ~product_.before(edge, unsettled_[graph_.target(edge)]);
        }
        return open & moving;
    }

    void settle(Id id, Modes modes) {
        unsettled_.remove(id, modes);
        left_ -= count(modes);
    }

    static std::uint64_t count(Modes modes) {
        return Product::single ? 1 : static_cast<std::uint64_t>(std::popcount(modes));
    }

    static constexpr Modes all_modes = Product::single ? 1 : every_mode;

    const Product &product_;
    const Graph &graph_;
    Set &unsettled_;
    const Settles rule_;
    std::uint64_t left_ = 0;
};

} // namespace asset

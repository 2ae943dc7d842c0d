// Progress with regard to a property that symmetries rename, on the annotated quotient.
//
// A node is a state with a meaning of the property. The nodes of one state are the bits of a word, and are dealt with
// together; so this takes little more time and memory than the quotient itself, however many states it stands for.
#pragma once

#include "annotations.h"
#include "settling.h"

namespace asset {

class Following {
  public:
    Following(const Space &space, const Graph &graph, const Followed &followed, const ProgressRequirement &required);

    // The first node, in the order of a breadth-first search, that violates or where evaluating the property is a model
    // error; none where there is none. Without `lassos`, nothing is said of how to get there and how it goes on.
    std::optional<Lost> first_lost(bool lassos);

  private:
    struct Node {
        Id state;
        unsigned meaning;
        std::uint64_t bit() const { return std::uint64_t{1} << meaning; }
    };

    // For each state a set of meanings.
    class Sets {
      public:
        Sets(Budget &budget, const Graph &graph)
            : region_(budget, std::size_t{graph.ids()} * sizeof(std::uint64_t)), sets_(region_.as<std::uint64_t>()) {}
        std::uint64_t &operator[](Id id) { return sets_[id]; }
        std::uint64_t operator[](Id id) const { return sets_[id]; }
        bool has(const Node &node) const { return sets_[node.state] & node.bit(); }

      private:
        Region region_;
        std::uint64_t *sets_;
    };

    void reach_all();
    void evaluate_all();
    void settle_all();
    std::uint64_t settled_by_successors(Id id) const;
    Sets unsettled() const;

    std::vector<Edge> way_to_first_of(const Sets &wanted, Node &first) const;
    Lasso lasso_from(Node start, const Sets &violating) const;
    std::optional<Lasso> lasso_nearby(Node start, const Sets &violating, std::size_t most) const;
    Node after(const Node &node, Edge edge) const {
        return {graph_.target(edge), edges_.becomes(edge, node.meaning)};
    }

    void heed_interrupt() const;

    const Space &space_;
    const Graph &graph_;
    const Followed &followed_;
    const ProgressRequirement &required_;
    const Annotations edges_;
    Sets reached_; // the nodes that are reachable
    Sets settled_; // those of them that are sure of progress
    Sets faulty_;  // those of them where evaluating the property is a model error
    bool any_faulty_ = false;
};

} // namespace asset

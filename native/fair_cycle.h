// A short cycle through a component of a product that does all that it must do: visit each acceptance set, and do
// justice to each fairness.
#pragma once

#include "lasso.h"
#include "letters.h"

namespace asset {

// From the start by a shortest way to an edge with something that the cycle lacks, again and again, and back at last.
// The component are the vertices that are `among`, and `marks` are those of an edge between two of them. It has all
// that is wanted, and fires the strong conditions that `enabled` says are enabled in its vertices.
template <class Product, class Among, class MarksOf, class Enabled>
Lasso fair_cycle(const Product &product, const typename Product::Vertex &start, const Marks &wanted, const Among &among,
                 const MarksOf &marks, const Enabled &enabled) {
    using Vertex = typename Product::Vertex;
    Breadth ways(product);
    ways.search({&start, 1}, among, [](const Vertex &) { return false; });
    Marks lacks = wanted;
    for (std::size_t i = 0; i < ways.size(); ++i)
        lacks.taken |= enabled(ways[i]);
    Lasso lasso{{}, 0};
    for (Vertex vertex = start; lacks.any() || lasso.edges.empty() || vertex != start;) {
        ways.clear();
        ways.meet(vertex);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            product.heed_interrupt();
            const Vertex from = ways[i];
            Edge by = 0;
            const bool found = product.visit(from, [&](Edge edge, const Vertex &next) {
                if (!among(next))
                    return false;
                const bool helps = lacks.any() ? lacks.meets(marks(edge, from, next)) : next == start;
                if (!helps) {
                    ways.meet(next, i, edge);
                    return false;
                }
                by = edge;
                vertex = next;
                return true;
            });
            if (!found)
                continue;
            const std::vector<Edge> path = ways.path_to(i);
            lasso.edges.insert(lasso.edges.end(), path.begin(), path.end());
            lasso.edges.push_back(by);
            lacks -= marks(by, from, vertex);
            break;
        }
    }
    return lasso;
}

} // namespace asset

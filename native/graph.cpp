#include "graph.h"

namespace asset {

void Graph::make_room(std::size_t states, std::size_t edges) {
    blocks_.make_room(states / block_states + 2);
    within_.make_room(states + 1);
    targets_.make_room(edges);
}

Id Graph::source(Edge edge) const {
    Id first = 0;
    for (Id count = ids(); count > 1;) { // the state is one of `count` from `first` on
        const Id half = count / 2;
        if (first_edge(first + half) <= edge) {
            first += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return first;
}

} // namespace asset

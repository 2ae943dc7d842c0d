// The edges of a state space: kept while exploring, or built by firing again.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <ranges>

#include "batch.h"
#include "graph.h"
#include "paging.h"

namespace asset {

// The edges, as far as they are kept while one thread explores. If there is too little memory for something else, they
// go to files; if there are none, they are given up, and may still be built later.
class KeptEdges {
  public:
    void begin(Budget &budget, Overflow *overflow) {
        graph_.emplace(budget);
        overflow_ = overflow;
    }
    bool keeping() const { return graph_.has_value(); }
    std::optional<Graph> &graph() { return graph_; }

    template <class Attempt> auto give_up_rather_than_fail(const Attempt &attempt) {
        try {
            return attempt();
        } catch (const std::bad_alloc &) {
            if (!graph_ || graph_->in_files())
                throw;
            make_way();
            return attempt();
        }
    }

    void make_room(const Batch &batch) {
        give_up_rather_than_fail([&] {
            if (graph_)
                graph_->make_room(batch.capacity(), batch.edges());
        });
    }

    void set_target(std::size_t edge, Id target) {
        if (graph_) // still
            graph_->targets()[edge] = target;
    }

    // The edges of these states are those whose targets were set.
    void add(Range sources, const Successors &successors) {
        if (graph_ && graph_->in_files())
            overflow_->files().heed_pages();
        for (Id i = 0; graph_ && i < sources.count; ++i)
            graph_->add(sources.first + i, successors.degree(i));
    }

  private:
    void make_way() {
        if (!overflow_)
            return graph_.reset();
        try {
            graph_->move_to(overflow_->files());
        } catch (const std::bad_alloc &) { // the disk is full
            return graph_.reset();
        }
        overflow_->count_pages();
    }

    std::optional<Graph> graph_;
    Overflow *overflow_ = nullptr;
};

// Every state is expanded once more, and each successor looked up. It takes nearly as long as exploring did; so with
// one thread the edges are kept while exploring instead (see Search::explore).
//

// Table knows every state's id (IndexedTable).
template <class Table, class Keys> class EdgeBuilder {
  public:
    EdgeBuilder(const Table &table, const Arena &arena, Successors &successors, Keys &keys)
        : table_(table), arena_(arena), successors_(successors), keys_(keys) {}

    // Afterwards the graph has the successors of every state in the arena.
    template <class Space> void build(Graph &graph, const Space &space) {
        for_each_batch(arena_, successors_.capacity(), [&](Range sources) {
            space.heed_interrupt();
            successors_.expand(arena_, sources);
            graph.make_room(sources.count, successors_.edges());
            look_up(graph.targets());
            for (Id i = 0; i < sources.count; ++i)
                graph.add(sources.first + i, successors_.degree(i));
        });
    }

  private:
    // A successor is found this long after its bucket was asked for, and the state probably equal to it in between.
    static constexpr std::size_t distance = 16;
    static constexpr std::size_t candidate_distance = distance / 2;

    // Writes the id of each successor in the batch.
    void look_up(Id *ids) {
        const std::size_t edges = successors_.edges();
        if (edges && !keys_.template prepare<0>(successors_, std::views::iota(std::size_t{0}, edges)))
            throw std::bad_alloc();
        std::array<std::uint64_t, 2 * distance> hashes; // of the successors under way, by their number modulo its size
        for (std::size_t i = 0; i < edges + distance; ++i) {
            if (i < edges)
                table_.prefetch(hashes[i % hashes.size()] = table_.hash(keys_(successors_, i, i)));
            if (i >= candidate_distance && i - candidate_distance < edges)
                table_.prefetch_candidate(hashes[(i - candidate_distance) % hashes.size()]);
            if (const std::size_t near = i - distance; i >= distance)
                ids[near] = table_.find(hashes[near % hashes.size()], keys_(successors_, near, near));
        }
    }

    const Table table_;
    const Arena &arena_;
    Successors &successors_;
    Keys &keys_;
};

} // namespace asset

#include "settling.h"

namespace asset {
namespace {

// Sweeps go on while each settles at least one in so many of the states that are left: all of them together take no
// longer than so many over the whole graph.
constexpr std::uint64_t worthwhile = 16;

class Settling {
  public:
    Settling(Bits &settled, Settles rule, const Graph &graph, const std::atomic<bool> &interrupted)
        : settled_(settled), rule_(rule), graph_(graph), interrupted_(interrupted) {
        for (std::uint64_t id = settled_.next_unset(0); id < settled_.size(); id = settled_.next_unset(id + 1))
            ++left_;
    }

    // Most edges lead to states found later, so going from the last state to the first settles most at once, and reads
    // memory in order.
    void sweep() {
        std::uint64_t before;
        do {
            before = left_;
            for (Id id = graph_.ids(); id-- > 0;)
                if (!settled_[id] && settled_by_successors(id))
                    settle(id);
        } while (left_ && (before - left_) * worthwhile >= before);
    }

    // Decides about all states that are left. A component is visited after all that are reachable from it, so these
    // are decided; and in one with a cycle no state can be settled by all of its successors before the others.
    void go_through_components(Budget &budget) {
        if (!left_)
            return;
        Components components(budget, graph_, interrupted_);
        const auto among = [&](Id id) { return !settled_[id]; };
        const auto through = [](Edge) { return true; };
        for (std::uint64_t id = settled_.next_unset(0); id < settled_.size(); id = settled_.next_unset(id + 1))
            if (!components.visited(static_cast<Id>(id)))
                components.search_from(static_cast<Id>(id), among, through,
                                       [&](std::span<const Id> members) { decide(members); });
    }

  private:
    void decide(std::span<const Id> members) {
        if (rule_ == Settles::by_all && members.size() > 1)
            return;
        if (std::any_of(members.begin(), members.end(), [&](Id id) { return settled_by_successors(id); }))
            for (const Id id : members)
                settle(id);
    }

    bool settled_by_successors(Id id) const {
        const std::span<const Id> successors = graph_.successors(id);
        const auto settled = [&](Id successor) { return settled_[successor]; };
        if (rule_ == Settles::by_some)
            return std::any_of(successors.begin(), successors.end(), settled);
        return !successors.empty() && std::all_of(successors.begin(), successors.end(), settled);
    }

    void settle(Id id) {
        if (interrupted_.load(std::memory_order_relaxed))
            throw Interrupted();
        settled_.set(id);
        --left_;
    }

    Bits &settled_;
    const Settles rule_;
    const Graph &graph_;
    const std::atomic<bool> &interrupted_;
    std::uint64_t left_ = 0;
};

} // namespace

void settle(Bits &settled, Settles rule, Budget &budget, const Graph &graph, const std::atomic<bool> &interrupted) {
    Settling settling(settled, rule, graph, interrupted);
    settling.sweep();
    settling.go_through_components(budget);
}

} // namespace asset

// Requirements on a graph that is spread over ranks: what can be decided by going back along edges.
//
// When everything is explored, each rank expands its states once more, and tells the owners of their successors where
// edges come from. Then a state is marked if progress is sure there: of may progress, that it can be reached; of must
// progress, that no run avoids it. Accepted states are marked at first, and terminal ones if these count; then a state
// when the first of its successors is (may), or the last (must). What is never marked violates the requirement: of may
// progress, no accepted state can be reached from there; of must progress, a successor is not marked either, and so on
// for ever, or it is terminal and that does not count (asset/engine/graph.py, cannot_reach and can_avoid).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "owners.h"
#include "rank.h"
#include "sequence.h"
#include "successors.h"

namespace asset {

// A state that something is wrong with, and its level.
struct Loss {
    std::size_t level;
    Wrong wrong;
};

// What a rank has when everything is explored.
struct Part {
    const asset_model &model;
    const Options &options;
    Budget &budget;
    const Arena &arena;
    const Owners &owners;
    std::span<const std::vector<Range>> levels;
    Successors &successors;
    std::function<Id(const Word *)> find; // of a state that is this rank's
};

// Which steps are edges.
enum class Steps {
    changing, // those that change something, unless all count as steps
    all,
    by_keys, // of stubborn sets
};

class Backward {
  public:
    // `room` is for how many bytes that are on their way to one other rank.
    Backward(Part part, std::size_t room, Steps steps = Steps::changing);

    // Expands states, and gathers their edges for the owners of the states that they lead to, as far as there is room.
    // False if none is left.
    bool link();
    void receive_links(std::span<const Word> links);

    // No rank has anything left to link.
    void end_linking();

    // Marks the states where the requirement, by its number among those on the graph, is sure to be met from the start.
    // If that is a model error in some of them, the first one in the order of levels, and then of words.
    std::optional<Loss> begin(std::size_t requirement);

    // Marks the states whose stubborn sets leave nothing out or, if all steps are edges, no visible command. Then a
    // state is when the first of its key steps leads to one that is, or the last of all its steps
    // (asset/engine/leading_out.py).
    void begin_leading_out();

    // The last level with a state that was not marked, or -1; and its states that were not.
    std::int64_t last_unmarked_level() const;
    std::vector<Id> unmarked(std::size_t level) const;

    // Tells the states that lead to marked ones, as far as there is room. False if there is nothing left to tell.
    bool go_back();
    void receive(std::span<const Word> sources);

    // What is on its way to a rank, in pieces; of use until `clear`.
    std::vector<std::span<const Word>> outgoing(unsigned owner) const { return {outbox_->of(owner)}; }
    void clear() { outbox_->clear(); }

    // The first state that was not marked, in the order of levels, and then of words.
    std::optional<Loss> first_unmarked() const;

    // The steps from a state, if it is this rank's, with the states that they lead to, in the order of firing.
    std::vector<Predecessor> steps(const Word *state);

    // Whether it is a state of this rank that was not marked.
    bool is_unmarked(const Word *state) const;

  private:
    // An edge that leads to a state of this rank.
    struct Link {
        std::uint32_t rank; // of the state that it leaves
        Id source;
        Id target;
    };

    void expand(Range sources);
    void note_leaving(Range sources);
    void mark(Id state);
    void tell(Id source);
    std::optional<Wrong> mark_accepted(Range states, std::uint32_t predicate);
    template <class Visit> void for_each_batch_of(std::size_t level, std::size_t most, const Visit &visit) const;

    const Part part_;
    const Steps steps_;
    const std::size_t words_;
    std::vector<Range> batches_; // all states
    std::size_t batch_ = 0;      // the one that is linked
    bool expanded_ = false;
    std::size_t source_ = 0, edge_ = 0, source_end_ = 0; // of the batch
    std::vector<bool> idle_;                             // edges of the batch that are left out
    Sequence<Link> links_;
    Sequence<std::uint32_t> degrees_; // of each state: steps that leave it
    Sequence<std::uint64_t> starts_;  // of each state's sources
    Sequence<Word> sources_;          // rank and id of the states that edges leave, by the states that they lead to
    Bits leaving_;                    // states whose sets leave out what begin_leading_out asks for
    Bits marked_;
    Sequence<std::uint32_t> lacking_; // so many successors must be marked until the state is
    Sequence<Id> queue_;              // marked, in this order
    std::size_t head_ = 0;            // the first of them that was not told to all its sources
    std::size_t told_ = 0;            // to how many of these it was
    std::optional<Outbox> outbox_;
    const std::size_t room_;
};

} // namespace asset

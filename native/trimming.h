// Formulas on a graph that is spread over ranks: whether a fair run is accepted by an automaton, decided by trimming
// the product with it, without strong components. asset/engine/trimming.py is the specification, and says why.
//
// A vertex is a state with a mode of the automaton; those of a state are a word of the rank that owns it. When all is
// explored, each rank expands its states once more, and tells the owners of their successors where edges come from, and
// which letters they have (letters.h). Then everything goes back along edges: an owner tells the states that lead to
// one of its own which modes of it are meant, and what that means for their modes is found where their letters are
// known. Whoever calls says which step comes next, and exchanges what is `outgoing` until no rank has anything left.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "backward.h"
#include "letters.h"

namespace asset {

class Trimming {
  public:
    // A step from a vertex: where it leads, and what it has of what a cycle must have. In a terminal state it has no
    // command, and stays.
    struct Step {
        std::int64_t command;
        std::vector<Word> state;
        std::uint32_t mode;
        Marks marks;
    };

    static constexpr std::uint32_t most_modes = 64;

    // `room` is for how many bytes that are on their way to one other rank. The requirement is a formula or a
    // recurrence, by its number among those on the graph.
    Trimming(Part part, std::size_t room, std::size_t requirement);

    // As in backward.h. If evaluating an observation is a model error in some states, the first one is told.
    bool link();
    void receive_links(std::span<const Word> links);
    std::optional<Loss> end_linking();

    // All vertices are alive that may be on an accepted cycle; how many are.
    void revive();
    std::uint64_t alive() const;

    // Counts, for each of them, the steps to those that are alive; then takes away those that have none, again and
    // again.
    void begin_counting();
    void begin_removing();

    // Reaches those from which a step to one that is alive has some of these marks; then those from which they can be
    // reached through what is alive, at once or `layer` by layer. What is not reached is taken away; if the mark is of
    // a strong condition, only where that is enabled.
    void begin_seeking(const Marks &marks);
    void begin_going_back(bool by_layers);
    void keep_reached(const Marks &marks);

    // Reaches what is alive; or the one vertex, if it is this rank's. Going back is then through all vertices, or
    // through those that are alive.
    void begin_from_alive();
    void begin_from(const Word *state, std::uint32_t mode);

    // If layers are asked for: how many vertices were reached in the last one, which is told next.
    std::uint64_t next_layer();

    // Tells the states that lead to those that are to be told of, as far as there is room. False if none is left.
    bool tell();
    void receive(std::span<const Word> told);
    std::vector<std::span<const Word>> outgoing(unsigned owner) const { return {outbox_->of(owner)}; }
    void clear() { outbox_->clear(); }

    // The first state to start in, by its words, in which the automaton may begin, of those that were reached.
    std::optional<std::vector<Word>> first_start() const;
    std::uint32_t initial() const { return letters_.initial(); }

    // All that a cycle must have, with every strong condition.
    Marks wanted() const;

    // Of a vertex, if it is this rank's: its steps; one more than the number of its layer, 0 if it was not reached;
    // whether it is alive.
    std::vector<Step> steps(const Word *state, std::uint32_t mode);
    std::uint32_t layer_of(const Word *state, std::uint32_t mode) const;
    bool is_alive(const Word *state, std::uint32_t mode) const;

  private:
    enum class Phase { counting, removing, seeking, going_back };

    struct Batch {
        Range states;
        std::size_t level;
    };

    // An edge of the batch that was read; `target` is none if it stays.
    struct Read {
        Id source;
        const Word *target;
        std::uint32_t letter;
    };

    // An edge that leads to a state of this rank.
    struct Link {
        Word source; // rank and id
        Id target;
        std::uint32_t letter;
    };

    // Modes of a state of which those that lead there are told.
    struct News {
        Id state;
        Modes modes;
    };

    bool read(const Batch &batch);
    void note_unreadable(const Batch &batch);
    std::optional<Letters::Unreadable> read_states(Range states);
    void add_link(const Read &edge);
    void heed(Id source, std::uint32_t letter, Modes modes);
    void reach(Id state, Modes modes);
    void remove(Id state, std::uint32_t mode);
    Modes before(std::uint32_t letter, Modes among, Modes modes, const Marks *marks) const;
    void begin(Phase phase, bool all_alive);
    void forget_reached();
    std::uint32_t &number(Id state, std::uint32_t mode) {
        return numbers_[std::size_t{state} * letters_.modes() + mode];
    }
    std::uint32_t number(Id state, std::uint32_t mode) const {
        return numbers_[std::size_t{state} * letters_.modes() + mode];
    }
    template <class Visit> void for_each_state(const Visit &visit) const;

    const Part part_;
    const std::size_t words_;
    const std::size_t room_;
    const GraphRequirement required_;
    const std::atomic<bool> interrupted_{false};
    Unfolded unfolded_;
    const Space space_;
    Letters letters_;
    std::vector<Batch> batches_;
    std::size_t batch_ = 0; // the one that is linked
    bool is_read_ = false;
    std::vector<Read> edges_; // of the batch
    std::size_t edge_ = 0;    // the first that was not linked
    std::optional<Loss> unreadable_;
    Sequence<Link> links_;
    Sequence<std::uint64_t> starts_;     // of each state's sources
    Sequence<Word> sources_;             // rank and id of the states that edges leave, by the states that they lead to
    Sequence<std::uint32_t> of_sources_; // letters of these edges
    Sequence<Word> strong_;              // of each state, if there is any: the strong conditions that are enabled

    Modes all_ = 0, promising_ = 0;
    Sequence<Modes> alive_, reached_;
    Sequence<std::uint32_t> numbers_; // of each vertex: steps that were counted, or one more than its layer
    Phase phase_ = Phase::counting;
    Marks sought_{};
    bool within_alive_ = true;
    bool by_layers_ = false;
    std::uint32_t layer_ = 0;
    Sequence<News> news_, fresh_; // those that are told, and those that come next
    std::size_t head_ = 0;        // the first that was not told to all its sources
    std::size_t told_ = 0;        // to how many of these it was
    std::optional<Outbox> outbox_;
};

} // namespace asset

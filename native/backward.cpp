#include "backward.h"

#include <algorithm>

#include "predicates.h"
#include "progress.h"

namespace asset {
namespace {

constexpr std::size_t most_states = 4096; // whose predicates are evaluated at once

template <class T> void fill_with_zeros(Sequence<T> &sequence, std::size_t count) {
    sequence.make_room(count);
    sequence.extend(count);
}

} // namespace

Backward::Backward(Part part, std::size_t room, Steps steps)
    : part_(std::move(part)), steps_(steps), words_(part_.model.state_words), links_(part_.budget),
      degrees_(part_.budget), starts_(part_.budget), sources_(part_.budget),
      leaving_(part_.budget, steps == Steps::changing ? 0 : part_.arena.end()),
      marked_(part_.budget, part_.arena.end()), lacking_(part_.budget), queue_(part_.budget), room_(room) {
    fill_with_zeros(degrees_, part_.arena.end());
    const bool weak = part_.options.derived && !part_.options.derived->keys.empty();
    const std::size_t most = steps == Steps::by_keys && weak ? 1 : part_.successors.capacity(); // keys are of one state
    for (std::size_t level = 0; level < part_.levels.size(); ++level)
        for_each_batch_of(level, most, [&](Range batch) { batches_.push_back(batch); });
    const std::size_t message = words_ + 1;
    outbox_.emplace(part_.budget, part_.owners.place().ranks, message,
                    std::max<std::size_t>(room / (message * sizeof(Word)), 1));
}

template <class Visit> void Backward::for_each_batch_of(std::size_t level, std::size_t most, const Visit &visit) const {
    for (Range rest : part_.levels[level])
        while (rest.count) {
            const Id count = std::min({rest.count, part_.arena.contiguous(rest.first), static_cast<Id>(most)});
            visit(Range{rest.first, count});
            rest = {rest.first + count, rest.count - count};
        }
}

// --- edges ---

// With symmetries, an edge is idle if the command changes nothing; not if it leads to a symmetric state.
void Backward::expand(Range sources) {
    Successors &successors = part_.successors;
    const bool count_idle = part_.options.idle_steps || steps_ == Steps::all;
    successors.expand_as_they_are(part_.arena, sources);
    idle_.assign(successors.edges(), false);
    std::size_t edge = 0;
    for (std::size_t source = 0; source < successors.sources() && !count_idle; ++source)
        for (std::size_t end = edge + successors.degree(source); edge < end; ++edge)
            idle_[edge] =
                std::equal(successors.source(source), successors.source(source) + words_, successors.successor(edge));
    if (part_.options.symmetry)
        successors.expand(part_.arena, sources);
    if (steps_ != Steps::changing)
        note_leaving(sources);
    if (steps_ == Steps::by_keys) {
        const std::uint32_t *commands = successors.commands(successors.edges());
        for (edge = 0; edge < successors.edges(); ++edge)
            idle_[edge] = idle_[edge] || !successors.is_key(commands[edge]);
    }
    expanded_ = true;
    source_ = edge_ = 0;
    source_end_ = successors.degree(0);
}

void Backward::note_leaving(Range sources) {
    const Successors &successors = part_.successors;
    for (Id i = 0; i < sources.count; ++i)
        if (steps_ == Steps::all ? successors.leaves_visible_out(i)
                                 : successors.leaves_out(i) && !successors.terminal(i))
            leaving_.set(sources.first + i);
}

bool Backward::link() {
    const Successors &successors = part_.successors;
    const unsigned me = part_.owners.place().number;
    for (; batch_ < batches_.size(); ++batch_, expanded_ = false) {
        const Range batch = batches_[batch_];
        if (!expanded_)
            expand(batch);
        for (; edge_ < successors.edges(); ++edge_) {
            if (outbox_->full())
                return true;
            while (edge_ == source_end_)
                source_end_ += successors.degree(++source_);
            if (idle_[edge_])
                continue;
            const Id source = batch.first + static_cast<Id>(source_);
            const Word *state = successors.successor(edge_);
            const Word from[] = {Word{me} << 32 | source};
            ++degrees_[source];
            if (const unsigned owner = part_.owners.of(state); owner != me)
                outbox_->add(owner, state, words_, from);
            else
                links_.push_back({me, source, part_.find(state)});
        }
    }
    return false;
}

void Backward::receive_links(std::span<const Word> links) {
    for (; !links.empty(); links = links.subspan(words_ + 1)) {
        const Word from = links[words_];
        links_.push_back({static_cast<std::uint32_t>(from >> 32), static_cast<Id>(from), part_.find(links.data())});
    }
}

void Backward::end_linking() {
    const std::size_t states = degrees_.size();
    fill_with_zeros(starts_, states + 1);
    fill_with_zeros(lacking_, states);
    for (const Link &link : links_.from(0))
        ++starts_[link.target + 1];
    for (std::size_t i = 1; i <= states; ++i)
        starts_[i] += starts_[i - 1];
    fill_with_zeros(sources_, links_.size());
    for (const Link &link : links_.from(0)) // each start moves to where the next one was
        sources_[starts_[link.target]++] = Word{link.rank} << 32 | link.source;
    for (std::size_t i = states; i > 0; --i)
        starts_[i] = starts_[i - 1];
    starts_[0] = 0;
    links_ = Sequence<Link>(part_.budget);
    outbox_.reset();
    outbox_.emplace(part_.budget, part_.owners.place().ranks, 1, std::max<std::size_t>(room_ / sizeof(Word), 1));
}

// --- marks ---

std::optional<Loss> Backward::begin(std::size_t number) {
    const GraphRequirement &required = part_.options.on_graph[number];
    const bool must = static_cast<Rule>(required.rule) == Rule::must_progress;
    const bool terminal = required.terminal_counts || static_cast<Rule>(required.rule) == Rule::termination;
    marked_.reset_all();
    queue_.shrink(0);
    head_ = told_ = 0;
    for (std::size_t i = 0; i < lacking_.size(); ++i)
        lacking_[i] = must ? degrees_[i] : 1;
    for (std::size_t level = 0; level < part_.levels.size(); ++level) {
        std::optional<Wrong> first;
        for_each_batch_of(level, most_states, [&](Range states) {
            if (!required.predicates.empty())
                if (std::optional<Wrong> wrong = mark_accepted(states, required.predicates[0]))
                    if (!first || comes_before(*wrong, *first))
                        first = std::move(wrong);
            for (Id id = states.first; id < states.first + states.count && terminal; ++id)
                if (degrees_[id] == 0)
                    mark(id);
        });
        if (first)
            return Loss{level, std::move(*first)};
    }
    return std::nullopt;
}

void Backward::begin_leading_out() {
    marked_.reset_all();
    queue_.shrink(0);
    head_ = told_ = 0;
    for (std::size_t i = 0; i < lacking_.size(); ++i)
        lacking_[i] = steps_ == Steps::all ? degrees_[i] : 1;
    for (const Range &batch : batches_)
        for (Id id = batch.first; id < batch.first + batch.count; ++id)
            if (!leaving_[id])
                mark(id);
}

std::int64_t Backward::last_unmarked_level() const {
    for (std::size_t level = part_.levels.size(); level-- > 0;)
        if (!unmarked(level).empty())
            return static_cast<std::int64_t>(level);
    return -1;
}

std::vector<Id> Backward::unmarked(std::size_t level) const {
    std::vector<Id> result;
    for (const Range &range : part_.levels[level])
        for (Id id = range.first; id < range.first + range.count; ++id)
            if (!marked_[id])
                result.push_back(id);
    return result;
}

// What is wrong with the first, by its words, of the states where evaluating the predicate is a model error.
std::optional<Wrong> Backward::mark_accepted(Range states, std::uint32_t predicate) {
    Predicates predicates(part_.model, {&predicate, 1});
    std::optional<Wrong> first;
    while (states.count) {
        const Word *words = part_.arena[states.first];
        const std::optional<asset_fault> fault = predicates.evaluate(words, states.count);
        const Id evaluated = fault ? static_cast<Id>(fault->state) : states.count;
        for (Id i = 0; i < evaluated; ++i)
            if (predicates.holds(i, predicate))
                mark(states.first + i);
        if (fault) {
            const Word *state = words + evaluated * words_;
            Wrong wrong{{.during = During::predicate, .predicate = fault->number}, {state, state + words_}};
            if (!first || comes_before(wrong, *first))
                first = std::move(wrong);
        }
        const Id passed = std::min(states.count, evaluated + 1);
        states = {states.first + passed, states.count - passed};
    }
    return first;
}

void Backward::mark(Id state) {
    if (marked_[state])
        return;
    marked_.set(state);
    queue_.push_back(state);
}

void Backward::tell(Id source) {
    if (!marked_[source] && --lacking_[source] == 0)
        mark(source);
}

bool Backward::go_back() {
    while (head_ < queue_.size()) {
        const Id state = queue_[head_];
        if (told_ == starts_[state + 1] - starts_[state]) {
            ++head_;
            told_ = 0;
            continue;
        }
        if (outbox_->full())
            return true;
        const Word source = sources_[starts_[state] + told_++];
        const auto rank = static_cast<unsigned>(source >> 32);
        const Word id = source & 0xffffffffu;
        if (rank == part_.owners.place().number)
            tell(static_cast<Id>(id));
        else
            outbox_->add(rank, &id, 1);
    }
    return false;
}

void Backward::receive(std::span<const Word> sources) {
    for (const Word source : sources)
        tell(static_cast<Id>(source));
}

// --- how progress is lost ---

std::optional<Loss> Backward::first_unmarked() const {
    for (std::size_t level = 0; level < part_.levels.size(); ++level) {
        std::optional<Wrong> first;
        for_each_batch_of(level, most_states, [&](Range states) {
            for (Id id = states.first; id < states.first + states.count; ++id) {
                const Word *state = part_.arena[id];
                if (!marked_[id] && (!first || std::lexicographical_compare(state, state + words_, first->state.begin(),
                                                                            first->state.end())))
                    first = Wrong{{}, {state, state + words_}};
            }
        });
        if (first)
            return Loss{level, std::move(*first)};
    }
    return std::nullopt;
}

std::vector<Predecessor> Backward::steps(const Word *state) {
    if (!part_.owners.is_mine(state))
        return {};
    Successors &successors = part_.successors;
    expand({part_.find(state), 1});
    expanded_ = false;
    std::vector<Predecessor> result;
    const std::uint32_t *commands = successors.commands(successors.edges());
    for (std::size_t edge = 0; edge < successors.edges(); ++edge)
        if (!idle_[edge])
            result.push_back({{successors.successor(edge), successors.successor(edge + 1)}, commands[edge]});
    return result;
}

bool Backward::is_unmarked(const Word *state) const {
    return part_.owners.is_mine(state) && !marked_[part_.find(state)];
}

} // namespace asset

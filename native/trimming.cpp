#include "trimming.h"

#include <algorithm>
#include <bit>

namespace asset {
namespace {

constexpr std::size_t most_batches = 4096; // that are linked in one call
constexpr std::size_t most_news = 1 << 16; // that are told in one call

template <class T> void fill_with_zeros(Sequence<T> &sequence, std::size_t count) {
    sequence.shrink(0);
    sequence.make_room(count);
    std::fill_n(sequence.end(), count, T{});
    sequence.extend(count);
}

// A recurrence as an automaton: from some point on nothing of `then` is fired, and `again` is so for ever.
AutomatonData automaton_of_recurrence() {
    constexpr std::uint64_t again = 1, then = 2;
    AutomatonData result;
    result.observations = {{Observation::Kind::taken, 0}, {Observation::Kind::taken, 1}};
    result.modes = 2;
    result.acceptance = 1;
    result.promising = {1};
    result.moves = {{0, 0, 0, {0}, {0}}, {0, 1, 0, {0}, {0}}, {1, 1, 0, {0}, {then}}, {1, 1, 1, {again}, {then}}};
    return result;
}

GraphRequirement with_automaton(GraphRequirement required) {
    if (static_cast<Rule>(required.rule) == Rule::recurrence)
        required.automaton = automaton_of_recurrence();
    return required;
}

template <class Use> void for_each_mode(Modes modes, const Use &use) {
    for (; modes; modes &= modes - 1)
        use(static_cast<std::uint32_t>(std::countr_zero(modes)));
}

} // namespace

Trimming::Trimming(Part part, std::size_t room, std::size_t requirement)
    : part_(std::move(part)), words_(part_.model.state_words), room_(room),
      required_(with_automaton(part_.options.on_graph[requirement])),
      space_{part_.model, part_.options, part_.budget, interrupted_, part_.arena, part_.successors, unfolded_},
      letters_(space_, required_), links_(part_.budget), starts_(part_.budget), sources_(part_.budget),
      of_sources_(part_.budget), strong_(part_.budget), alive_(part_.budget), reached_(part_.budget),
      numbers_(part_.budget), news_(part_.budget), fresh_(part_.budget) {
    for (std::uint32_t mode = 0; mode < letters_.modes(); ++mode) {
        all_ |= Modes{1} << mode;
        promising_ |= Modes{letters_.promising(mode)} << mode;
    }
    const Id most = static_cast<Id>(part_.successors.capacity());
    for (std::size_t level = 0; level < part_.levels.size(); ++level)
        for (Range rest : part_.levels[level])
            while (rest.count) {
                const Id count = std::min({rest.count, part_.arena.contiguous(rest.first), most});
                batches_.push_back({{rest.first, count}, level});
                rest = {rest.first + count, rest.count - count};
            }
    if (!required_.automaton.strong.empty())
        fill_with_zeros(strong_, part_.arena.end());
    const std::size_t message = words_ + 2;
    outbox_.emplace(part_.budget, part_.owners.place().ranks, message,
                    std::max<std::size_t>(room / (message * sizeof(Word)), 1));
}

template <class Visit> void Trimming::for_each_state(const Visit &visit) const {
    for (const Batch &batch : batches_)
        for (Id id = batch.states.first; id < batch.states.first + batch.states.count; ++id)
            visit(id);
}

// --- edges ---

std::optional<Letters::Unreadable> Trimming::read_states(Range states) {
    Successors &successors = part_.successors;
    successors.expand(part_.arena, states);
    edges_.clear();
    edge_ = 0;
    std::size_t edge = 0;
    const auto degree = [&](Id state) { return std::size_t{successors.degree(state - states.first)}; };
    return letters_.read(states, degree, [&](Id state, std::uint32_t letter) {
        const std::size_t more = letters_.differ() ? std::min<std::size_t>(degree(state), 1) : degree(state);
        if (degree(state) == 0)
            edges_.push_back({state, nullptr, letter});
        for (const std::size_t end = edge + more; edge < end; ++edge)
            edges_.push_back({state, successors.successor(edge), letter});
        if (strong_.size())
            strong_[state] = letters_.fairness(letter).enabled;
    });
}

// What is unreadable is told of the first level that has such, where each state is looked at by itself.
void Trimming::note_unreadable(const Batch &batch) {
    for (Id i = 0; i < batch.states.count; ++i)
        if (const auto found = read_states({batch.states.first + i, 1})) {
            const Word *state = part_.arena[found->state];
            Wrong wrong{found->finding, {state, state + words_}};
            if (!unreadable_ || comes_before(wrong, unreadable_->wrong))
                unreadable_ = Loss{batch.level, std::move(wrong)};
        }
    edges_.clear();
}

// False if there is nothing more to read.
bool Trimming::read(const Batch &batch) {
    if (unreadable_ && unreadable_->level < batch.level)
        return false;
    if (unreadable_ || read_states(batch.states))
        note_unreadable(batch);
    return true;
}

bool Trimming::link() {
    for (std::size_t end = std::min(batches_.size(), batch_ + most_batches); batch_ < end; ++batch_, is_read_ = false) {
        if (!is_read_ && !read(batches_[batch_]))
            return false;
        is_read_ = true;
        for (; edge_ < edges_.size(); ++edge_) {
            if (outbox_->full())
                return true;
            add_link(edges_[edge_]);
        }
    }
    return batch_ < batches_.size();
}

void Trimming::add_link(const Read &edge) {
    const unsigned me = part_.owners.place().number;
    const Word source = Word{me} << 32 | edge.source;
    if (!edge.target) {
        links_.push_back({source, edge.source, edge.letter});
    } else if (const unsigned owner = part_.owners.of(edge.target); owner == me) {
        links_.push_back({source, part_.find(edge.target), edge.letter});
    } else {
        const Word last[] = {source, edge.letter};
        outbox_->add(owner, edge.target, words_, last);
    }
}

void Trimming::receive_links(std::span<const Word> links) {
    for (; !links.empty(); links = links.subspan(words_ + 2))
        links_.push_back({links[words_], part_.find(links.data()), static_cast<std::uint32_t>(links[words_ + 1])});
}

std::optional<Loss> Trimming::end_linking() {
    const std::size_t states = part_.arena.end();
    fill_with_zeros(starts_, states + 1);
    for (const Link &link : links_.from(0))
        ++starts_[link.target + 1];
    for (std::size_t i = 1; i <= states; ++i)
        starts_[i] += starts_[i - 1];
    fill_with_zeros(sources_, links_.size());
    fill_with_zeros(of_sources_, links_.size());
    for (const Link &link : links_.from(0)) { // each start moves to where the next one was
        const std::uint64_t place = starts_[link.target]++;
        sources_[place] = link.source;
        of_sources_[place] = link.letter;
    }
    for (std::size_t i = states; i > 0; --i)
        starts_[i] = starts_[i - 1];
    starts_[0] = 0;
    links_ = Sequence<Link>(part_.budget);
    outbox_.reset();
    outbox_.emplace(part_.budget, part_.owners.place().ranks, 2, std::max<std::size_t>(room_ / (2 * sizeof(Word)), 1));
    fill_with_zeros(alive_, states);
    fill_with_zeros(reached_, states);
    return unreadable_;
}

// --- what is alive, and what is reached ---

void Trimming::revive() {
    for_each_state([&](Id state) { alive_[state] = promising_; });
}

std::uint64_t Trimming::alive() const {
    std::uint64_t result = 0;
    for (const Modes modes : alive_.from(0))
        result += static_cast<std::uint64_t>(std::popcount(modes));
    return result;
}

void Trimming::begin(Phase phase, bool all_alive) {
    phase_ = phase;
    by_layers_ = false;
    news_.shrink(0);
    fresh_.shrink(0);
    head_ = told_ = 0;
    if (all_alive)
        for_each_state([&](Id state) {
            if (alive_[state])
                news_.push_back({state, alive_[state]});
        });
}

void Trimming::begin_counting() {
    fill_with_zeros(numbers_, part_.arena.end() * std::size_t{letters_.modes()});
    begin(Phase::counting, true);
}

void Trimming::begin_removing() {
    begin(Phase::removing, false);
    for_each_state([&](Id state) {
        for_each_mode(alive_[state], [&](std::uint32_t mode) {
            if (number(state, mode) == 0)
                remove(state, mode);
        });
    });
}

void Trimming::remove(Id state, std::uint32_t mode) {
    alive_[state] &= ~(Modes{1} << mode);
    fresh_.push_back({state, Modes{1} << mode});
}

void Trimming::forget_reached() {
    std::fill_n(&reached_[0], reached_.size(), 0);
    within_alive_ = true;
    layer_ = 0;
}

void Trimming::begin_seeking(const Marks &marks) {
    sought_ = marks;
    forget_reached();
    begin(Phase::seeking, true);
}

void Trimming::begin_from_alive() {
    forget_reached();
    begin(Phase::going_back, false);
    within_alive_ = false;
    for_each_state([&](Id state) { reach(state, alive_[state]); });
}

void Trimming::begin_from(const Word *state, std::uint32_t mode) {
    forget_reached();
    begin(Phase::going_back, false);
    if (part_.owners.is_mine(state))
        reach(part_.find(state), Modes{1} << mode);
}

// Those that were reached are the first layer.
void Trimming::begin_going_back(bool by_layers) {
    phase_ = Phase::going_back;
    by_layers_ = by_layers;
    if (!by_layers)
        return;
    fill_with_zeros(numbers_, part_.arena.end() * std::size_t{letters_.modes()});
    for (const News &each : fresh_.from(0))
        for_each_mode(each.modes, [&](std::uint32_t mode) { number(each.state, mode) = 1; });
}

std::uint64_t Trimming::next_layer() {
    std::swap(news_, fresh_);
    fresh_.shrink(0);
    head_ = told_ = 0;
    ++layer_;
    return news_.size();
}

void Trimming::keep_reached(const Marks &marks) {
    for_each_state([&](Id state) {
        const bool asked = !marks.taken || strong_[state] & marks.taken;
        alive_[state] &= asked ? reached_[state] : every_mode;
    });
}

void Trimming::reach(Id state, Modes modes) {
    modes &= ~reached_[state];
    if (!modes)
        return;
    reached_[state] |= modes;
    fresh_.push_back({state, modes});
    if (by_layers_)
        for_each_mode(modes, [&](std::uint32_t mode) { number(state, mode) = 1 + layer_; });
}

// --- going back ---

// Of the modes `among`, those from which the letter leads to one of these; by a step with some of the marks, if any.
Modes Trimming::before(std::uint32_t letter, Modes among, Modes modes, const Marks *marks) const {
    const Marks &fairness = letters_.fairness(letter);
    Modes result = 0;
    for_each_mode(among, [&](std::uint32_t mode) {
        for (const Letters::Step &step : letters_.steps(letter, mode)) {
            const bool has = !marks || marks->meets(fairness) || marks->accepting & step.marks;
            result |= Modes{has && (modes >> step.target & 1)} << mode;
        }
    });
    return result;
}

// An edge of the letter leads from the source to a state of which these modes are told.
void Trimming::heed(Id source, std::uint32_t letter, Modes modes) {
    const Modes among = within_alive_ ? alive_[source] : all_;
    if (phase_ == Phase::seeking)
        return reach(source, before(letter, among & ~reached_[source], modes, &sought_));
    if (phase_ == Phase::going_back)
        return reach(source, before(letter, among & ~reached_[source], modes, nullptr));
    for_each_mode(alive_[source], [&](std::uint32_t mode) {
        std::uint32_t &count = number(source, mode);
        for (const Letters::Step &step : letters_.steps(letter, mode))
            if (modes >> step.target & 1)
                count += phase_ == Phase::counting ? 1u : ~0u;
        if (phase_ == Phase::removing && count == 0)
            remove(source, mode);
    });
}

bool Trimming::tell() {
    const unsigned me = part_.owners.place().number;
    for (std::size_t left = most_news;;) {
        if (head_ == news_.size()) {
            const bool goes_on = phase_ == Phase::removing || (phase_ == Phase::going_back && !by_layers_);
            if (!goes_on || fresh_.empty())
                return false;
            next_layer();
        }
        const News &each = news_[head_];
        for (const std::uint64_t first = starts_[each.state]; first + told_ < starts_[each.state + 1]; ++told_) {
            if (outbox_->full())
                return true;
            const std::uint64_t place = first + told_;
            const auto source = static_cast<std::uint32_t>(sources_[place]);
            const auto rank = static_cast<unsigned>(sources_[place] >> 32);
            const Word message[] = {Word{of_sources_[place]} << 32 | source, each.modes};
            if (rank == me)
                heed(source, of_sources_[place], each.modes);
            else
                outbox_->add(rank, message, 2);
        }
        ++head_;
        told_ = 0;
        if (--left == 0)
            return true;
    }
}

void Trimming::receive(std::span<const Word> told) {
    for (std::size_t i = 0; i < told.size(); i += 2)
        heed(static_cast<std::uint32_t>(told[i]), static_cast<std::uint32_t>(told[i] >> 32), told[i + 1]);
}

// --- a run ---

Marks Trimming::wanted() const {
    Marks result = letters_.wanted();
    const std::size_t strong = required_.automaton.strong.size();
    result.taken = strong ? ~std::uint64_t{0} >> (64 - strong) : 0;
    return result;
}

std::optional<std::vector<Word>> Trimming::first_start() const {
    std::optional<std::vector<Word>> first;
    for (const Range &range : part_.levels[0])
        for (Id id = range.first; id < range.first + range.count; ++id)
            if (reached_[id] >> initial() & 1)
                if (std::vector<Word> state(part_.arena[id], part_.arena[id] + words_); !first || state < *first)
                    first = std::move(state);
    return first;
}

std::vector<Trimming::Step> Trimming::steps(const Word *state, std::uint32_t mode) {
    std::vector<Step> result;
    if (!part_.owners.is_mine(state))
        return result;
    read_states({part_.find(state), 1});
    const std::uint32_t *commands = part_.successors.commands(part_.successors.edges());
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        const Word *target = edges_[i].target ? edges_[i].target : state;
        for (const Letters::Step &step : letters_.steps(edges_[i].letter, mode)) {
            Marks marks = letters_.fairness(edges_[i].letter);
            marks.accepting = step.marks;
            result.push_back(
                {edges_[i].target ? std::int64_t{commands[i]} : none, {target, target + words_}, step.target, marks});
        }
    }
    return result;
}

std::uint32_t Trimming::layer_of(const Word *state, std::uint32_t mode) const {
    if (!part_.owners.is_mine(state))
        return 0;
    const Id id = part_.find(state);
    return reached_[id] >> mode & 1 ? number(id, mode) : 0;
}

bool Trimming::is_alive(const Word *state, std::uint32_t mode) const {
    return part_.owners.is_mine(state) && alive_[part_.find(state)] >> mode & 1;
}

} // namespace asset

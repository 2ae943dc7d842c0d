#include "walker.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace asset {

Walker::Walker(const asset_model &model, const Options &options, const Sampling &sampling, std::uint64_t stream)
    : model_(model), words_(model.state_words), idle_steps_(options.idle_steps), length_(sampling.length),
      cells_(sampling.cells), tell_enabled_(sampling.enabled), told_((model.nr_commands + 63) / 64),
      in_states_(model, options.in_states), in_terminal_states_(model, options.in_terminal_states),
      random_(sampling.seed, stream), lanes_(sampling.lanes), states_(sampling.lanes * words_), before_(states_),
      degrees_(sampling.lanes), enabled_(sampling.lanes * told_), fired_(words_), taken_(model.nr_commands),
      idle_(model.nr_commands), values_(cells_.size()), counted_(words_), cell_of_bit_(words_ * 64) {
    if (!sampling.touched.empty() && !tables_.emplace(model, sampling.touched).pay())
        tables_.reset();
    const std::size_t most_edges = sampling.lanes * model.nr_commands + 1;
    successors_.resize(most_edges * words_);
    commands_.resize(most_edges);
    for (auto start = options.starts.begin(); start != options.starts.end();) {
        const auto end = start + static_cast<std::ptrdiff_t>(words_);
        starts_.push_back(std::make_shared<const Origin>(Origin{nullptr, {}, {start, end}, 0}));
        start = end;
    }
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        const auto &[word, shift, width, values] = cells_[cell];
        values_[cell].resize(((std::size_t{1} << width) + 63) / 64);
        unmet_.push_back(values);
        counted_[word] |= cells_[cell].mask() << shift;
        std::fill_n(&cell_of_bit_[word * 64 + shift], width, static_cast<std::uint32_t>(cell));
    }
    left_to_show_ = model.nr_commands + cells_.size();
    look_at_starts();
    for (std::size_t lane = 0; lane < lanes_.size() && !finding_; ++lane)
        begin(lane);
}

void Walker::look_at_starts() {
    for (const auto &start : starts_) {
        lanes_[0].origin = start;
        std::copy(start->state.begin(), start->state.end(), states_.begin());
        distinct_.add(start->state.data(), words_);
        for (std::size_t cell = 0; cell < cells_.size(); ++cell)
            see(cell, start->state[cells_[cell].word] >> cells_[cell].shift & cells_[cell].mask());
        if (auto bad = in_states_.first_violation(start->state.data(), 1))
            return find(0, std::move(bad->finding));
    }
}

// Half of the runs begin in a start state, the others in turn where something was met for the first time.
void Walker::begin(std::size_t lane) {
    const bool again = !origins_.empty() && random_.below(2);
    lanes_[lane].origin = again ? origins_[turn_++ % origins_.size()]
                                : starts_[random_.below(static_cast<std::uint32_t>(starts_.size()))];
    lanes_[lane].commands.clear();
    lanes_[lane].most = length_ - std::min(length_, lanes_[lane].origin->depth);
    lanes_[lane].ended = false;
    std::copy_n(lanes_[lane].origin->state.data(), words_, state(lane));
    ++runs_;
}

void Walker::find(std::size_t lane, Finding finding) {
    finding_ = std::move(finding);
    found_in_ = lane;
}

bool Walker::walk(std::uint64_t most_steps) {
    const std::size_t lanes = std::min<std::uint64_t>(lanes_.size(), most_steps);
    look_at(fire(lanes));
    for (std::size_t lane = 0; lane < lanes && !finding_; ++lane)
        if (lanes_[lane].ended || lanes_[lane].commands.size() >= lanes_[lane].most) {
            longest_ = std::max(longest_, lanes_[lane].depth());
            begin(lane);
        }
    return !finding_;
}

std::uint64_t Walker::longest() const {
    std::uint64_t result = longest_;
    for (std::size_t lane = 0; lane < lanes_.size() && !finding_; ++lane)
        result = std::max(result, lanes_[lane].depth());
    return result;
}

// Of the last round, in which something was found: what was not looked at does not count.
void Walker::count_depths(std::size_t looked_at, std::size_t fired) {
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        const bool unseen_step = lane >= looked_at && lane < fired && !lanes_[lane].ended;
        longest_ = std::max(longest_, lanes_[lane].depth() - unseen_step);
    }
}

// Lets the first lanes make a step each, or end in a terminal state, as far as something is wrong; how many did.
std::size_t Walker::fire(std::size_t lanes) {
    asset_fault fault{};
    find_successors(lanes, fault);
    const std::size_t complete = fault.code ? fault.state : lanes;
    std::copy_n(states_.data(), complete * words_, before_.data());
    const std::size_t made = tables_ || tell_enabled_ ? step_by_one(complete) : step_by_successors(complete);
    if (made == complete && fault.code)
        find(complete, Finding{.during = During::firing, .command = fault.number});
    return made;
}

std::size_t Walker::step_by_one(std::size_t lanes) {
    if (gathers_fast())
        return step_by_one_v3(lanes);
    return step_each(lanes, [this](std::size_t lane) { return step_by_one<false>(lane); });
}

ASSET_V3 std::size_t Walker::step_by_one_v3(std::size_t lanes) {
    if (told_ == 1)
        return step_each(lanes, [this](std::size_t lane) ASSET_INLINED { return step_by_one<true, 1>(lane); });
    return step_each(lanes, [this](std::size_t lane) ASSET_INLINED { return step_by_one<true>(lane); });
}

std::size_t Walker::step_by_successors(std::size_t lanes) {
    std::size_t edge = 0;
    return step_each(lanes, [&](std::size_t lane) {
        const std::size_t first = edge;
        edge += degrees_[lane];
        return step(lane, first);
    });
}

template <class Step> ASSET_INLINE std::size_t Walker::step_each(std::size_t lanes, const Step &step) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
        if (!step(lane) && !may_end(lane))
            return lane;
    return lanes;
}

// Whether nothing is wrong with the lane's state, which is a terminal one.
bool Walker::may_end(std::size_t lane) {
    ++terminal_;
    lanes_[lane].ended = true;
    auto bad = in_terminal_states_.first_violation(state(lane), 1);
    if (bad)
        find(lane, std::move(bad->finding));
    return !bad;
}

// What can be fired in each lane, as far as the first model error.
void Walker::find_successors(std::size_t lanes, asset_fault &fault) {
    if (tables_) {
        if (!tables_->tell_enabled(states_.data(), lanes, enabled_.data()))
            fire_each(lanes, fault); // to know which one comes first
    } else if (tell_enabled_)
        tell_enabled_(states_.data(), lanes, enabled_.data(), &fault);
    else if (model_.named_successors)
        model_.named_successors(states_.data(), lanes, successors_.data(), degrees_.data(), commands_.data(), &fault);
    else
        fire_each(lanes, fault);
}

// The same as the model's named_successors, of a model that has none.
void Walker::fire_each(std::size_t lanes, asset_fault &fault) {
    std::size_t edges = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        degrees_[lane] = 0;
        for (std::uint32_t command = model_.nr_commands; command-- > 0;) {
            Word *after = successors_.data() + edges * words_;
            std::copy_n(state(lane), words_, after);
            const std::int32_t status = model_.fire(after, command);
            if (status < 0) {
                fault = {lane, command, static_cast<std::uint32_t>(-status)};
                return;
            }
            commands_[edges] = command;
            edges += static_cast<std::size_t>(status);
            degrees_[lane] += static_cast<std::uint32_t>(status);
        }
    }
}

// Makes one of the lane's successors, which begin at this edge, its state: one that is another state. Whether there is
// any.
bool Walker::step(std::size_t lane, std::size_t first_edge) {
    if (degrees_[lane] == 0)
        return false;
    std::size_t edge = first_edge + random_.below(degrees_[lane]);
    if (!changes(successor(edge), lane)) {
        choices_.clear();
        for (std::size_t each = first_edge; each < first_edge + degrees_[lane]; ++each)
            if (changes(successor(each), lane))
                choices_.push_back(each);
            else
                idle_[commands_[each]] = 1;
        if (choices_.empty())
            return false;
        edge = choices_[random_.below(static_cast<std::uint32_t>(choices_.size()))];
    }
    Word *now = state(lane);
    for (std::size_t word = 0; word < words_; ++word)
        now[word] = successor(edge)[word];
    lanes_[lane].commands.push_back(commands_[edge]);
    ++steps_;
    return true;
}

// The same, if it is known what is enabled. Told is how many words tell it, if that is known here, else 0.
template <bool gathers, std::size_t Told> ASSET_INLINE bool Walker::step_by_one(std::size_t lane) {
    std::uint32_t command;
    if (!choose<gathers, Told>(lane, command))
        return false;
    fire_one<gathers>(state(lane), command);
    if (!changes(state(lane), lane))
        return step_by_another(lane);
    lanes_[lane].commands.push_back(command);
    ++steps_;
    return true;
}

// One of the commands that are enabled, if there are any. They are numbered from the last one on, as successors are.
template <bool gathers, std::size_t Told> ASSET_INLINE bool Walker::choose(std::size_t lane, std::uint32_t &command) {
    const std::size_t told = Told ? Told : told_;
    const std::uint64_t *enabled = &enabled_[lane * told];
    std::uint32_t count = 0;
    for (std::size_t word = 0; word < told; ++word)
        count += static_cast<std::uint32_t>(std::popcount(enabled[word]));
    if (!count)
        return false;
    std::uint32_t below = count - 1 - random_.below(count), word = 0;
    for (; told > 1; ++word) {
        const auto here = static_cast<std::uint32_t>(std::popcount(enabled[word]));
        if (below < here)
            break;
        below -= here;
    }
    command = 64 * word + place_of_bit<gathers>(enabled[word], below);
    return true;
}

// By one of the commands that change the state, if there are any; the others are idle.
bool Walker::step_by_another(std::size_t lane) {
    choices_.clear();
    for (std::uint32_t command = model_.nr_commands; command-- > 0;) {
        if (!(enabled_[lane * told_ + command / 64] >> command % 64 & 1))
            continue;
        std::copy_n(before(lane), words_, fired_.data());
        fire_one(fired_.data(), command);
        if (changes(fired_.data(), lane))
            choices_.push_back(command);
        else
            idle_[command] = 1;
    }
    if (choices_.empty())
        return false;
    const std::size_t chosen = choices_[random_.below(static_cast<std::uint32_t>(choices_.size()))];
    const auto command = static_cast<std::uint32_t>(chosen);
    fire_one(state(lane), command);
    lanes_[lane].commands.push_back(command);
    ++steps_;
    return true;
}

// Checks and counts the states of the first lanes, as far as one in which something is wrong.
void Walker::look_at(std::size_t lanes) {
    auto bad = in_states_.first_violation(states_.data(), lanes);
    const std::size_t end = bad ? bad->state : lanes;
    if (bad)
        find(end, std::move(bad->finding));
    if (finding_)
        count_depths(end, lanes);
    for (std::size_t lane = 0; lane < end; ++lane) {
        if (lanes_[lane].ended)
            continue;
        distinct_.add(state(lane), words_);
        if (left_to_show_ && shows_more(lane))
            keep(lane);
    }
}

// Whether its last command is fired for the first time, or a cell has a value for the first time.
bool Walker::shows_more(std::size_t lane) {
    std::uint8_t &taken = taken_[lanes_[lane].commands.back()];
    bool is_new = !taken;
    left_to_show_ -= is_new;
    taken = 1;
    for (std::size_t word = 0; word < words_; ++word) {
        const Word now = state(lane)[word];
        for (Word changed = (now ^ before(lane)[word]) & counted_[word]; changed;) {
            const std::uint32_t number = cell_of_bit_[word * 64 + static_cast<unsigned>(std::countr_zero(changed))];
            const CountedCell &cell = cells_[number];
            is_new |= see(number, now >> cell.shift & cell.mask());
            changed &= ~(cell.mask() << cell.shift);
        }
    }
    return is_new;
}

bool Walker::see(std::size_t cell, std::uint64_t value) {
    std::uint64_t &seen = values_[cell][value / 64];
    const std::uint64_t bit = std::uint64_t{1} << value % 64;
    const bool is_new = !(seen & bit);
    seen |= bit;
    if (is_new && --unmet_[cell] == 0) { // it has no others
        counted_[cells_[cell].word] &= ~(cells_[cell].mask() << cells_[cell].shift);
        --left_to_show_;
    }
    return is_new;
}

// Further runs may begin in the lane's state. Of many such states the last ones stay.
void Walker::keep(std::size_t number) {
    const Lane &lane = lanes_[number];
    if (lane.depth() >= std::min(length_, most_kept_depth))
        return;
    auto origin = std::make_shared<const Origin>(
        Origin{lane.origin, lane.commands, {state(number), state(number) + words_}, lane.depth()});
    if (origins_.size() < most_origins)
        origins_.push_back(std::move(origin));
    else
        origins_[kept_ % most_origins] = std::move(origin);
    ++kept_;
}

Run Walker::run() const {
    const Lane &lane = lanes_[found_in_];
    std::vector<const Origin *> origins;
    for (const Origin *each = lane.origin.get(); each; each = each->parent.get())
        origins.push_back(each);
    Run run{origins.back()->state, {}};
    for (auto each = origins.rbegin(); each != origins.rend(); ++each)
        run.commands.insert(run.commands.end(), (*each)->commands.begin(), (*each)->commands.end());
    run.commands.insert(run.commands.end(), lane.commands.begin(), lane.commands.end());
    return run;
}

std::vector<std::uint8_t> Walker::fired() const {
    std::vector<std::uint8_t> result = idle_;
    std::ranges::transform(result, taken_, result.begin(), std::bit_or<>());
    return result;
}

} // namespace asset

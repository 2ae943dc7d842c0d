#include "simulation.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "shortening.h"

namespace asset {
namespace {

constexpr std::uint64_t rounds = 256;                        // between two looks at whether to go on
constexpr std::uint64_t most_fired = std::uint64_t{1} << 27; // to shorten a run

void check(const asset_model &model, const Options &options, const Sampling &sampling) {
    const auto demand = [](bool condition, const char *otherwise) {
        if (!condition)
            throw std::invalid_argument(otherwise);
    };
    demand(model.abi_version == ASSET_ABI_VERSION, "the model was compiled for another version of the engine");
    demand(!options.starts.empty() && options.starts.size() % model.state_words == 0, "no whole states to start in");
    for (const auto *required : {&options.in_states, &options.in_terminal_states})
        for (const StateRequirement &each : *required)
            demand(each.predicate < model.nr_predicates, "a predicate that the model does not have");
    for (const CountedCell &cell : sampling.cells)
        demand(cell.word < model.state_words && cell.width <= 16 && cell.shift + cell.width <= 64,
               "a cell that the model does not have");
    for (const TouchedBits &each : sampling.touched)
        demand(each.command < model.nr_commands && each.word < model.state_words, "bits that the model does not have");
    demand(sampling.length > 0 && sampling.lanes > 0 && options.threads > 0, "no runs at all");
}

} // namespace

Simulation::Simulation(const asset_model &model, const Options &options, const Sampling &sampling)
    : model_(model), options_(options), sampling_(sampling) {
    check(model, options, sampling);
    for (unsigned number = 0; number < options.threads; ++number)
        walkers_.push_back(std::make_unique<Walker>(model_, options_, sampling_, number));
}

void Simulation::run() {
    const std::uint64_t share = sampling_.steps ? (sampling_.steps + threads() - 1) / threads() : ~std::uint64_t{0};
    std::vector<std::jthread> others;
    for (std::size_t number = 1; number < walkers_.size(); ++number) {
        try {
            others.emplace_back([this, number, share] { walk(number, share); });
        } catch (const std::system_error &) { // no more threads
            walkers_.resize(number);
        }
    }
    walk(0, share);
    others.clear();
    const Walker *first = nullptr;
    for (const auto &walker : walkers_)
        if (walker->finding() && (!first || walker->steps() < first->steps()))
            first = walker.get();
    if (first)
        show(*first);
}

void Simulation::walk(std::size_t number, std::uint64_t steps) {
    Walker &walker = *walkers_[number];
    bool goes_on = !walker.finding();
    const auto has_share = [&] { return walker.steps() < steps && walker.runs() <= steps; };
    std::uint64_t steps_before = 0, runs_before = 0;
    while (goes_on && has_share() && walker.steps() < bound_ && !interrupted_) {
        for (std::uint64_t round = 0; goes_on && has_share() && round < rounds; ++round)
            goes_on = walker.walk(steps - walker.steps());
        steps_.fetch_add(walker.steps() - std::exchange(steps_before, walker.steps()), std::memory_order_relaxed);
        runs_.fetch_add(walker.runs() - std::exchange(runs_before, walker.runs()), std::memory_order_relaxed);
        if (walker.longest() > longest())
            longest_.store(walker.longest(), std::memory_order_relaxed);
    }
    std::uint64_t bound = bound_;
    while (!goes_on && walker.steps() < bound && !bound_.compare_exchange_weak(bound, walker.steps())) {
    }
}

void Simulation::show(const Walker &walker) {
    Finding finding = *walker.finding();
    Shortening shortening(model_, options_, finding);
    const Run found = walker.run();
    found_length_ = found.commands.size();
    const Run run = options_.in_order ? found : shortening.shortened(found, most_fired);
    finding.commands.push_back(none);
    finding.commands.insert(finding.commands.end(), run.commands.begin(), run.commands.end());
    finding.states = shortening.states_of(run);
    finding_ = std::move(finding);
}

std::uint64_t Simulation::terminal() const {
    std::uint64_t sum = 0;
    for (const auto &walker : walkers_)
        sum += walker->terminal();
    return sum;
}

std::vector<std::uint32_t> Simulation::fired() const {
    std::vector<std::uint8_t> by_any(model_.nr_commands);
    for (const auto &walker : walkers_)
        std::ranges::transform(by_any, walker->fired(), by_any.begin(), std::bit_or<>());
    std::vector<std::uint32_t> result;
    for (std::uint32_t command = 0; command < model_.nr_commands; ++command)
        if (by_any[command])
            result.push_back(command);
    return result;
}

std::vector<std::vector<std::uint32_t>> Simulation::values() const {
    std::vector<std::vector<std::uint32_t>> result(sampling_.cells.size());
    for (std::size_t cell = 0; cell < result.size(); ++cell)
        for (std::uint32_t value = 0; value <= sampling_.cells[cell].mask(); ++value)
            for (const auto &walker : walkers_)
                if (walker->values()[cell][value / 64] >> value % 64 & 1) {
                    result[cell].push_back(value);
                    break;
                }
    return result;
}

double Simulation::distinct() const {
    Distinct all;
    for (const auto &walker : walkers_)
        all.merge(walker->distinct());
    return all.estimate();
}

} // namespace asset

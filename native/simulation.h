// Random runs in several threads, up to the first in which something is wrong.
//
// Each thread has a stream of random numbers and a share of the steps. What is reported is what the first of them
// finds, by its steps and then by its number: so it is the same each time, however fast they are.
#pragma once

#include <atomic>
#include <memory>

#include "walker.h"

namespace asset {

class Simulation {
  public:
    // The model must outlive the simulation. Throws std::invalid_argument if its ABI version is another, or if the
    // options speak of what it does not have.
    Simulation(const asset_model &model, const Options &options, const Sampling &sampling);

    // To be called once.
    void run();

    // Ends it soon; from any thread.
    void interrupt() { interrupted_ = true; }

    bool interrupted() const { return interrupted_; }
    const std::optional<Finding> &finding() const { return finding_; }
    std::size_t found_length() const { return found_length_; } // of the run with the finding before it was shortened

    // While it runs, from any thread: about how many steps and runs there were.
    std::uint64_t steps() const { return steps_.load(std::memory_order_relaxed); }
    std::uint64_t runs() const { return runs_.load(std::memory_order_relaxed); }
    std::uint64_t longest() const { return longest_.load(std::memory_order_relaxed); }

    // When it has ended.
    unsigned threads() const { return static_cast<unsigned>(walkers_.size()); }
    std::uint64_t terminal() const;
    std::vector<std::uint32_t> fired() const;               // commands
    std::vector<std::vector<std::uint32_t>> values() const; // of each counted cell, as they are packed
    double distinct() const;

  private:
    void walk(std::size_t number, std::uint64_t steps);
    void show(const Walker &walker);

    const asset_model &model_;
    const Options options_;
    const Sampling sampling_;
    std::vector<std::unique_ptr<Walker>> walkers_;
    std::atomic<std::uint64_t> steps_{0}, runs_{0}, longest_{0};
    std::atomic<std::uint64_t> bound_{~std::uint64_t{0}}; // steps that no thread need make
    std::atomic<bool> interrupted_{false};
    std::optional<Finding> finding_;
    std::size_t found_length_ = 0;
};

} // namespace asset

// Where the time of a search goes, if that is asked: seconds by what it was doing, and states to measure commands with.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace asset {

enum class Work { successors, look_ups, properties, memory, graph, rest };
inline constexpr std::size_t kinds_of_work = 6;

// For a search by one thread. A search that nobody wants to know about has none.
class Profile {
  public:
    // The search begins now.
    void start() { since_ = Clock::now(); }

    // What is done from now on; what was done until now.
    Work begin(Work work) {
        const Clock::time_point now = Clock::now();
        seconds_[static_cast<std::size_t>(work_)] += std::chrono::duration<double>(now - since_).count();
        since_ = now;
        return std::exchange(work_, work);
    }

    // A state that is expanded may become one of the sample. These are spread evenly over all that it is offered.
    void offer(const std::uint64_t *state, std::size_t words) {
        if (offered_++ % stride_ != 0)
            return;
        if (sample_.size() == most * words)
            halve(words);
        if ((offered_ - 1) % stride_ == 0)
            sample_.insert(sample_.end(), state, state + words);
    }

    const std::array<double, kinds_of_work> &seconds() const { return seconds_; }
    const std::vector<std::uint64_t> &sample() const { return sample_; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t most = 4096; // states

    // Every second state goes.
    void halve(std::size_t words) {
        for (std::size_t i = 1; i < most / 2; ++i)
            std::copy_n(&sample_[2 * i * words], words, &sample_[i * words]);
        sample_.resize(most / 2 * words);
        stride_ *= 2;
    }

    std::array<double, kinds_of_work> seconds_{};
    Work work_ = Work::rest;
    Clock::time_point since_ = Clock::now();
    std::uint64_t offered_ = 0, stride_ = 1;
    std::vector<std::uint64_t> sample_;
};

// Notes that work is done while this object lives; nothing, if there is no profile.
class Working {
  public:
    Working(Profile *profile, Work work) : profile_(profile), before_(profile ? profile->begin(work) : work) {}
    Working(const Working &) = delete;
    Working &operator=(const Working &) = delete;
    ~Working() {
        if (profile_)
            profile_->begin(before_);
    }

  private:
    Profile *const profile_;
    const Work before_;
};

} // namespace asset

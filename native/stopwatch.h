#pragma once

#include <chrono>

namespace asset {

// Adds the seconds that it lives.
class Stopwatch {
  public:
    explicit Stopwatch(double &seconds) : seconds_(seconds) {}
    ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - started_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    double &seconds_;
    const Clock::time_point started_ = Clock::now();
};

} // namespace asset

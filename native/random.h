// Random numbers that are the same everywhere: splitmix64. asset.engine.simulation has the same.
#pragma once

#include <cstdint>

namespace asset {

class Random {
  public:
    // The streams of one seed have nothing to do with each other.
    Random(std::uint64_t seed, std::uint64_t stream) : state_(mixed(seed) + mixed(~stream)) {}

    // Each number below `end`, which is not 0, is as likely.
    std::uint32_t below(std::uint32_t end) {
        state_ += step;
        return static_cast<std::uint32_t>((mixed(state_) >> 32) * end >> 32);
    }

  private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }

    std::uint64_t state_;
};

} // namespace asset

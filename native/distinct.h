// About how many different states were met, in 4 KiB: HyperLogLog (Flajolet et al.), within some two per cent.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "store.h"

namespace asset {

class Distinct {
  public:
    void add(const Word *state, std::size_t words) {
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < words; ++i)
            hash = fold_multiply(hash ^ state[i] ^ 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93 + 2 * i);
        hash = fold_multiply(hash, 0xa0761d6478bd642f);
        auto &register_ = longest_[hash >> (64 - index_bits)];
        const auto zeros = std::countl_zero(hash << index_bits | std::uint64_t{1} << (index_bits - 1));
        register_ = std::max(register_, static_cast<std::uint8_t>(zeros + 1));
    }

    void merge(const Distinct &other) {
        for (std::size_t i = 0; i < longest_.size(); ++i)
            longest_[i] = std::max(longest_[i], other.longest_[i]);
    }

    double estimate() const {
        constexpr double m = registers, alpha = 0.7213 / (1 + 1.079 / m);
        double sum = 0;
        for (const std::uint8_t each : longest_)
            sum += std::ldexp(1.0, -each);
        const double raw = alpha * m * m / sum;
        const auto empty = static_cast<double>(std::count(longest_.begin(), longest_.end(), 0));
        return raw <= 2.5 * m && empty > 0 ? m * std::log(m / empty) : raw; // few: by those that are empty
    }

  private:
    static constexpr unsigned index_bits = 12;
    static constexpr std::size_t registers = std::size_t{1} << index_bits;

    std::array<std::uint8_t, registers> longest_{};
};

} // namespace asset

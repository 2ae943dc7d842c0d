// Arrays that come from a budget: one that grows at its end, and one of single bits.
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "memory.h"

namespace asset {

template <class T> class Sequence {
  public:
    explicit Sequence(Budget &budget)
        : room_(4096 / sizeof(T)), region_(budget, room_ * sizeof(T)), data_(region_.as<T>()) {}

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T &operator[](std::size_t i) { return data_[i]; }
    const T &operator[](std::size_t i) const { return data_[i]; }
    T &back() { return data_[size_ - 1]; }
    void pop_back() { --size_; }
    void shrink(std::size_t size) { size_ = size; }
    std::span<const T> from(std::size_t first) const { return {data_ + first, size_ - first}; }

    void push_back(const T &value) {
        if (size_ == room_) [[unlikely]]
            grow(size_ + 1);
        data_[size_++] = value;
    }

    // There is room for so many more behind the last. Those written there become part of the sequence by `extend`.
    void make_room(std::size_t more) {
        if (size_ + more > room_)
            grow(size_ + more);
    }
    T *end() { return data_ + size_; }
    void extend(std::size_t more) { size_ += more; }

    // It is in these files from now on, if it is large enough.
    void move_to(Budget &files) {
        region_.move_to(files);
        data_ = region_.as<T>();
    }

  private:
    // By an eighth, so that little is wasted: growing moves pages, it does not copy.
    void grow(std::size_t least) {
        const std::size_t larger = std::max(least, room_ < few ? 2 * room_ : room_ + room_ / 8);
        region_.extend(larger * sizeof(T));
        data_ = region_.as<T>();
        room_ = larger;
    }

    static constexpr std::size_t few = std::size_t{1} << 20;

    std::size_t size_ = 0;
    std::size_t room_;
    Region region_;
    T *data_;
};

class Bits {
  public:
    Bits(Budget &budget, std::uint64_t size)
        : size_(size), region_(budget, nr_words() * sizeof(std::uint64_t)), words_(region_.as<std::uint64_t>()) {}

    bool operator[](std::uint64_t i) const { return words_[i / 64] >> (i % 64) & 1; }
    void set(std::uint64_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
    void reset(std::uint64_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
    void set_all() { std::fill_n(words_, nr_words(), ~std::uint64_t{0}); }
    void reset_all() { std::fill_n(words_, nr_words(), 0); }

    std::uint64_t size() const { return size_; }

    // The first bit from `i` on that is not set, or the size.
    std::uint64_t next_unset(std::uint64_t i) const {
        for (std::uint64_t skipped = i % 64; i < size_; skipped = 0) {
            const std::uint64_t unset = ~words_[i / 64] >> skipped;
            if (unset)
                return std::min(size_, i + static_cast<std::uint64_t>(std::countr_zero(unset)));
            i += 64 - skipped;
        }
        return size_;
    }

    // The first bit from `i` on that is set, or the size.
    std::uint64_t next_set(std::uint64_t i) const {
        for (std::uint64_t skipped = i % 64; i < size_; skipped = 0) {
            if (const std::uint64_t set = words_[i / 64] >> skipped)
                return i + static_cast<std::uint64_t>(std::countr_zero(set));
            i += 64 - skipped;
        }
        return size_;
    }

    // One more than the last bit below `i` that is set, or 0.
    std::uint64_t end_of_set(std::uint64_t i) const {
        while (i > 0) {
            const std::uint64_t below = i % 64 ? i % 64 : 64;
            if (const std::uint64_t set = words_[(i - 1) / 64] << (64 - below))
                return i - static_cast<std::uint64_t>(std::countl_zero(set));
            i -= below;
        }
        return 0;
    }

  private:
    std::uint64_t nr_words() const { return (size_ + 63) / 64; }

    std::uint64_t size_;
    Region region_;
    std::uint64_t *words_;
};

} // namespace asset

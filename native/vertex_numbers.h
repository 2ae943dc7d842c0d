// A number for each vertex of a product of which neither all states nor all modes need be known beforehand; 0 at first.
//
// With few modes it is an array, so that a look-up is one access to memory. Else it is a table with open addressing: of
// many modes most states have few.
#pragma once

#include "product.h"
#include "simd.h"
#include "store.h"

namespace asset {

class VertexNumbers {
  public:
    VertexNumbers(Budget &budget, std::uint32_t modes)
        : modes_(modes), few_(modes <= most_in_array), array_(budget), budget_(budget) {
        if (!few_)
            enlarge(first_slots);
    }

    // Vertices of the states with ids below this can be asked for.
    void make_room(Id states) {
        const std::size_t size = few_ ? std::size_t{states} * modes_ : 0;
        if (size <= array_.size())
            return;
        array_.make_room(size - array_.size());
        array_.extend(size - array_.size());
    }

    std::uint32_t operator[](const Vertex<false> &vertex) const {
        if (few_)
            return array_[place(vertex)];
        const Slot &slot = slots_[find(vertex)];
        return slot.taken ? slot.number : 0;
    }

    void set(const Vertex<false> &vertex, std::uint32_t number) {
        if (few_) {
            array_[place(vertex)] = number;
            return;
        }
        if (4 * taken_ >= 3 * (mask_ + 1)) [[unlikely]]
            enlarge(2 * (mask_ + 1));
        Slot &slot = slots_[find(vertex)];
        taken_ += !slot.taken;
        slot = {vertex, number, 1};
    }

    // Brings the numbers of the state's vertices closer.
    ASSET_INLINE void prefetch(Id state) const {
        if (few_)
            __builtin_prefetch(&array_[std::size_t{state} * modes_]);
    }

  private:
    struct Slot {
        Vertex<false> vertex;
        std::uint32_t number;
        std::uint32_t taken;
    };

    static constexpr std::uint32_t most_in_array = 8;
    static constexpr std::size_t first_slots = 1024;

    std::size_t place(const Vertex<false> &vertex) const { return std::size_t{vertex.state} * modes_ + vertex.mode; }

    // Where the vertex is, or belongs.
    std::size_t find(const Vertex<false> &vertex) const {
        std::size_t at = fold_multiply(std::uint64_t{vertex.state} << 32 | vertex.mode, 0x9e3779b97f4a7c15) & mask_;
        while (slots_[at].taken && !(slots_[at].vertex == vertex))
            at = (at + 1) & mask_;
        return at;
    }

    void enlarge(std::size_t slots) {
        Region before = std::exchange(region_, Region(budget_, slots * sizeof(Slot)));
        const std::size_t known = slots_ ? mask_ + 1 : 0;
        slots_ = region_.as<Slot>();
        mask_ = slots - 1;
        for (std::size_t i = 0; i < known; ++i)
            if (const Slot &slot = before.as<Slot>()[i]; slot.taken)
                slots_[find(slot.vertex)] = slot;
    }

    const std::uint32_t modes_;
    const bool few_;
    Sequence<std::uint32_t> array_;
    Budget &budget_;
    Region region_;
    Slot *slots_ = nullptr;
    std::size_t mask_ = 0;
    std::size_t taken_ = 0;
};

} // namespace asset

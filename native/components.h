// Strong components of a part of a product, one after the other (Pearce's form of Tarjan's algorithm: linear, and one
// number for each vertex besides the stacks).
#pragma once

#include "product.h"

namespace asset {

// A number for each vertex of a set, 0 at first.
template <bool Single> class Numbers {
  public:
    Numbers(Budget &budget, const VertexSet<false> &vertices)
        : region_(budget, std::size_t{vertices.states()} * sizeof(Place)), places_(region_.as<Place>()) {
        std::uint64_t size = 0;
        for (Id state = 0; state < vertices.states(); ++state) {
            places_[state] = {vertices[state], static_cast<std::uint32_t>(size)};
            size += static_cast<unsigned>(std::popcount(vertices[state]));
        }
        if (size >= most)
            throw std::bad_alloc();
        size_ = static_cast<std::uint32_t>(size);
        numbers_region_ = Region(budget, size * sizeof(std::uint32_t));
        numbers_ = numbers_region_.as<std::uint32_t>();
    }

    std::uint32_t size() const { return size_; }
    std::uint32_t &operator[](const Vertex<false> &vertex) const {
        const Place &place = places_[vertex.state];
        return numbers_[place.first + static_cast<unsigned>(std::popcount(place.modes & (vertex.as_set() - 1)))];
    }

  private:
    // The vertices of a state, and how many are before them.
    struct Place {
        Modes modes;
        std::uint32_t first;
    };

    static constexpr std::uint64_t most = std::uint64_t{1} << 32;

    Region region_;
    Place *places_;
    Region numbers_region_;
    std::uint32_t *numbers_;
    std::uint32_t size_;
};

template <> class Numbers<true> {
  public:
    Numbers(Budget &budget, const VertexSet<true> &vertices) : Numbers(budget, vertices.states()) {}
    Numbers(Budget &budget, Id states)
        : size_(states), region_(budget, std::size_t{states} * sizeof(std::uint32_t)),
          numbers_(region_.as<std::uint32_t>()) {}

    std::uint32_t size() const { return size_; }
    std::uint32_t &operator[](const Vertex<true> &vertex) const { return numbers_[vertex.state]; }

  private:
    std::uint32_t size_;
    Region region_;
    std::uint32_t *numbers_;
};

template <class Product> class Components {
  public:
    using Vertex = typename Product::Vertex;

    // The numbers are of all vertices that will be asked about.
    Components(const Product &product, Numbers<Product::single> numbers)
        : product_(product), numbers_(std::move(numbers)), next_component_(numbers_.size()), frames_(product.budget()),
          members_(product.budget()) {}

    bool visited(const Vertex &vertex) const { return numbers_[vertex] != 0; }

    // Of vertices all of whose component was visited: whether it is the same.
    bool together(const Vertex &a, const Vertex &b) const { return numbers_[a] == numbers_[b]; }

    // Visits, as a span of vertices, each component that is reachable from `root` among those that are `among`; after
    // those that are reachable from it, and once in the life of this object.
    template <class Among, class Visit> void search_from(const Vertex &root, const Among &among, const Visit &visit) {
        enter(root);
        while (!frames_.empty()) {
            if (descend(among))
                continue;
            const std::size_t first = leave();
            if (first == not_complete)
                continue;
            visit(members_.from(first));
            members_.shrink(first);
        }
    }

  private:
    struct Frame {
        Vertex vertex;
        typename Product::Cursor next; // the successor to be looked at
        std::uint32_t number;          // as it was on entry
    };

    static constexpr std::size_t not_complete = ~std::size_t{0};

    // Looks at the successors of the last vertex entered; true if one was entered.
    template <class Among> bool descend(const Among &among) {
        Frame &frame = frames_.back();
        std::uint32_t &number = numbers_[frame.vertex];
        Vertex fresh{};
        const bool found = product_.visit(frame.vertex, frame.next, [&](Edge, const Vertex &next) {
            if (!among(next))
                return false;
            if (!visited(next)) {
                fresh = next;
                return true;
            }
            number = std::min(number, numbers_[next]);
            return false;
        });
        if (found)
            enter(fresh);
        return found;
    }

    void enter(const Vertex &vertex) {
        product_.heed_interrupt();
        frames_.push_back({vertex, {}, next_number_});
        numbers_[vertex] = next_number_++;
    }

    // The last vertex entered is done. If it completes a component, returns where in members_ that begins.
    std::size_t leave() {
        product_.heed_interrupt();
        const Frame done = frames_.back();
        frames_.pop_back();
        members_.push_back(done.vertex);
        if (numbers_[done.vertex] != done.number)
            return not_complete;
        std::size_t first = members_.size() - 1;
        while (first > 0 && numbers_[members_[first - 1]] >= done.number)
            --first;
        for (const Vertex &member : members_.from(first)) {
            product_.heed_interrupt();
            numbers_[member] = next_component_;
        }
        next_number_ -= static_cast<std::uint32_t>(members_.size() - first);
        --next_component_;
        return first;
    }

    const Product &product_;
    Numbers<Product::single>
        numbers_; // 0; or the smallest known to be reachable, from 1; or the component's, from the top
    std::uint32_t next_number_ = 1;
    std::uint32_t next_component_;
    Sequence<Frame> frames_;
    Sequence<Vertex> members_; // of components that are not complete
};

} // namespace asset

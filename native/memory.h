// Memory with an account: everything large comes from a Budget, so that a limit ends a search and never the process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace asset {

namespace pages {
class File;
}
class Paging;

inline constexpr std::size_t huge_page = std::size_t{1} << 21;

// Which states of a search stay, and where.
enum class Keeping {
    in_memory,
    in_file,
    while_few, // as long as they are few; then only those that are still to be expanded
};

// Ninety per cent of what this process could still get: free memory, or what is left of the control group's limit.
std::size_t available_memory();

// Zeroed pages that are given away one part after the other, and are counted by who takes them. Parts that are no
// multiple of huge pages can so be backed by these all the same.
class AddressSpace {
  public:
    // Nothing if the system refuses.
    explicit AddressSpace(std::size_t bytes);
    AddressSpace(const AddressSpace &) = delete;
    ~AddressSpace();

    bool has_room(std::size_t bytes) const;

    // Null if there is no room.
    void *take(std::size_t bytes);

  private:
    char *start_;
    const std::size_t bytes_;
    std::size_t taken_ = 0;
};

// Counts bytes in use and refuses what would exceed the limit.
class Budget {
  public:
    explicit Budget(std::size_t limit) : limit_(limit) {}

    // Without a limit: what is large is in files, and is not counted.
    explicit Budget(Paging &paging) : limit_(~std::size_t{0}), paging_(&paging) {}

    // Throws std::bad_alloc if the limit would be exceeded; nothing is taken then.
    void take(std::size_t bytes);
    void give_back(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

    std::size_t limit() const { return limit_; }
    std::size_t used() const { return used_.load(std::memory_order_relaxed); }
    std::size_t peak() const { return peak_.load(std::memory_order_relaxed); }

    // The files that so many bytes are to be in, if any.
    Paging *paging_for(std::size_t bytes) const { return bytes < few_bytes ? nullptr : paging_; }

    // Called now and then by those who work with what is in files, so that no more of it is in memory than may be.
    void heed_pages() const {
        if (paging_)
            let_pages_go();
    }

    // Zeroed pages, which are counted by who takes them and stay the budget's. Null if it has none left: they are few,
    // as what is given back is not used again, and there are none if memory is scarce.
    void *take_side_by_side(std::size_t bytes);

  private:
    static constexpr std::size_t few_bytes = std::size_t{1} << 16; // are not worth a file

    void let_pages_go() const;

    const std::size_t limit_;
    Paging *const paging_ = nullptr;
    std::atomic<std::size_t> used_{0};
    std::atomic<std::size_t> peak_{0};
    std::mutex access_; // to the space
    std::optional<AddressSpace> side_by_side_;
};

// How much of a region will be used.
enum class Filling {
    most,
    little, // as it has room for the worst case
    least,  // of that: no more than the first MiB is counted
};

// Zeroed pages, aligned to 2 MiB and backed by huge pages if they are that large. If they are fewer and most of them
// will be used, they lie side by side with others of the budget if it can, so that few huge pages back all of these.
class Region {
  public:
    Region() = default;

    // Throws std::bad_alloc if the budget or the system refuses.
    Region(Budget &budget, std::size_t bytes, Filling filling = Filling::most);
    // A piece of the file, behind those that it has.
    Region(Budget &budget, pages::File &file, std::size_t bytes);
    // A part of address space, which stays that of its owner.
    Region(Budget &budget, AddressSpace &space, std::size_t bytes);
    Region(Region &&other) noexcept { swap(other); }
    Region &operator=(Region &&other) noexcept {
        swap(other);
        return *this;
    }
    ~Region() { release(); }

    void release();

    // Of a piece of a file: what is in it need not be in memory any more, and is no longer counted. It is read from the
    // file where it is asked for.
    void leave_memory();

    // The region has this larger size; what was in it is still there, perhaps at another address. Throws as above, and
    // nothing has changed then.
    void extend(std::size_t bytes);

    // It belongs to the other budget, whose files it may be in now. Throws as above, and nothing has changed then.
    void move_to(Budget &files);

    template <class T> T *as() const { return static_cast<T *>(start_); }

  private:
    template <class Map>
    void take(Budget &budget, std::size_t bytes, const Map &map, std::size_t most_counted = ~std::size_t{0});
    void take_from_memory(Budget &budget, std::size_t bytes, Filling filling);
    void take_from_files(Budget &budget, Paging &paging, std::size_t bytes, bool grows);
    void extend_in_files(Paging &paging, std::size_t bytes);

    void swap(Region &other) {
        std::swap(budget_, other.budget_);
        std::swap(start_, other.start_);
        std::swap(bytes_, other.bytes_);
        std::swap(counted_, other.counted_);
        std::swap(paging_, other.paging_);
        std::swap(grows_, other.grows_);
        std::swap(shares_, other.shares_);
    }

    Budget *budget_ = nullptr;
    void *start_ = nullptr;
    std::size_t bytes_ = 0;
    std::size_t counted_ = 0;  // bytes of the budget
    Paging *paging_ = nullptr; // if it is in a file
    bool grows_ = false;       // that can be extended
    bool shares_ = false;      // address space that is another's
};

} // namespace asset

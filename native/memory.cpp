#include "memory.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

#include "pages.h"
#include "paging.h"

namespace asset {
namespace {

constexpr std::size_t small = huge_page / 2;
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

// The number after `key` in a file of "key value" lines, or the first number if the key is empty.
std::size_t number_in(const char *file, const std::string &key = "") {
    std::ifstream in(file);
    for (std::string word; key != "" && in >> word && word != key;) {
    }
    std::size_t number = 0;
    return in >> number ? number : unlimited;
}

std::size_t free_memory() {
    if (const std::size_t kib = number_in("/proc/meminfo", "MemAvailable:"); kib != unlimited)
        return kib * 1024;
    return pages::physical_memory();
}

std::size_t left_in_group(const char *limit_file, const char *usage_file) {
    const std::size_t limit = number_in(limit_file);
    const std::size_t usage = number_in(usage_file);
    if (limit == unlimited || usage == unlimited)
        return unlimited;
    return limit - std::min(limit, usage);
}

std::size_t whole_pages(std::size_t bytes) {
    const std::size_t page = pages::size();
    return (bytes + page - 1) / page * page;
}

} // namespace

std::size_t available_memory() {
    const std::size_t group = left_in_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
    const std::size_t old_group =
        left_in_group("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes");
    return std::min({free_memory(), group, old_group}) / 10 * 9;
}

void Budget::take(std::size_t bytes) {
    const std::size_t now = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (now > limit_) {
        give_back(bytes);
        throw std::bad_alloc();
    }
    std::size_t peak = peak_.load(std::memory_order_relaxed);
    while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
}

void Budget::let_pages_go() const { paging_->obey_now_and_then(); }

void *Budget::take_side_by_side(std::size_t bytes) {
    constexpr std::size_t most = 8 * huge_page, of_limit = 32; // more than is used of them is little of the limit
    if (paging_ || most > limit_ / of_limit)
        return nullptr;
    const std::scoped_lock lock(access_);
    if (!side_by_side_)
        side_by_side_.emplace(most);
    return side_by_side_->take(bytes);
}

AddressSpace::AddressSpace(std::size_t bytes)
    : start_(static_cast<char *>(pages::map(whole_pages(bytes)))), bytes_(whole_pages(bytes)) {}

AddressSpace::~AddressSpace() {
    if (start_)
        pages::unmap(start_, bytes_);
}

bool AddressSpace::has_room(std::size_t bytes) const { return start_ && whole_pages(bytes) <= bytes_ - taken_; }

void *AddressSpace::take(std::size_t bytes) {
    return has_room(bytes) ? start_ + std::exchange(taken_, taken_ + whole_pages(bytes)) : nullptr;
}

Region::Region(Budget &budget, std::size_t bytes, Filling filling) {
    if (Paging *paging = budget.paging_for(bytes))
        take_from_files(budget, *paging, bytes, false);
    else
        take_from_memory(budget, bytes, filling);
}

Region::Region(Budget &budget, pages::File &file, std::size_t bytes) {
    take(budget, bytes, [&](std::size_t whole) { return file.map(whole); });
}

Region::Region(Budget &budget, AddressSpace &space, std::size_t bytes) : shares_(true) {
    take(budget, bytes, [&](std::size_t whole) { return space.take(whole); });
}

template <class Map> void Region::take(Budget &budget, std::size_t bytes, const Map &map, std::size_t most_counted) {
    bytes = whole_pages(std::max<std::size_t>(bytes, 1));
    const std::size_t counted = std::min(bytes, most_counted);
    budget.take(counted);
    start_ = map(bytes);
    if (!start_) {
        budget.give_back(counted);
        throw std::bad_alloc();
    }
    budget_ = &budget;
    bytes_ = bytes;
    counted_ = counted;
}

// A small search would spend a third of its time on pages of 4 KiB that are touched one by one, and on mappings that
// are made and moved.
void Region::take_from_memory(Budget &budget, std::size_t bytes, Filling filling) {
    const auto map = [&](std::size_t whole) {
        void *start = whole <= small && filling == Filling::most ? budget.take_side_by_side(whole) : nullptr;
        shares_ = start;
        return start ? start : pages::map(whole);
    };
    if (filling == Filling::least)
        take(budget, bytes, map, small);
    else
        take(budget, bytes, map);
}

void Region::take_from_files(Budget &budget, Paging &paging, std::size_t bytes, bool grows) {
    bytes = whole_pages(bytes);
    start_ = paging.map(bytes, grows);
    if (!start_)
        throw std::bad_alloc();
    budget_ = &budget;
    bytes_ = bytes;
    paging_ = &paging;
    grows_ = grows;
}

void Region::extend(std::size_t bytes) {
    bytes = whole_pages(bytes);
    if (Paging *paging = budget_->paging_for(bytes))
        return extend_in_files(*paging, bytes);
    if (shares_) {
        Region larger(*budget_, bytes);
        std::memcpy(larger.start_, start_, bytes_);
        return swap(larger);
    }
    budget_->take(bytes - bytes_);
    void *larger = pages::map(bytes);
    if (!larger || !pages::move(start_, bytes_, larger)) {
        if (larger)
            pages::unmap(larger, bytes);
        budget_->give_back(bytes - bytes_);
        throw std::bad_alloc();
    }
    start_ = larger;
    bytes_ = counted_ = bytes;
}

void Region::extend_in_files(Paging &paging, std::size_t bytes) {
    if (grows_) {
        void *larger = paging.extend(start_, bytes_, bytes);
        if (!larger)
            throw std::bad_alloc();
        start_ = larger;
        bytes_ = bytes;
        return;
    }
    Region larger;
    larger.take_from_files(*budget_, paging, bytes, true);
    std::memcpy(larger.start_, start_, bytes_);
    swap(larger);
}

// A piece after the other, so that it is never in memory twice.
void Region::move_to(Budget &files) {
    Region moved;
    if (Paging *paging = files.paging_for(bytes_)) {
        moved.take_from_files(files, *paging, bytes_, true);
        for (std::size_t at = 0; at < bytes_; at += huge_page) {
            const std::size_t piece = std::min(huge_page, bytes_ - at);
            std::memcpy(moved.as<char>() + at, as<char>() + at, piece);
            pages::leave_memory(as<char>() + at, piece);
            paging->obey();
        }
    } else {
        moved = Region(files, bytes_);
        std::memcpy(moved.start_, start_, bytes_);
    }
    swap(moved);
}

void Region::leave_memory() {
    pages::leave_memory(start_, bytes_);
    budget_->give_back(std::exchange(counted_, 0));
}

void Region::release() {
    if (!start_)
        return;
    if (paging_)
        paging_->unmap(start_, bytes_);
    else if (!shares_)
        pages::unmap(start_, bytes_);
    budget_->give_back(counted_);
    start_ = nullptr;
}

} // namespace asset

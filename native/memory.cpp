#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

namespace asset {
namespace {

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
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t left_in_group(const char *limit_file, const char *usage_file) {
    const std::size_t limit = number_in(limit_file);
    const std::size_t usage = number_in(usage_file);
    if (limit == unlimited || usage == unlimited)
        return unlimited;
    return limit - std::min(limit, usage);
}

void *map(std::size_t bytes) {
    void *start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start == MAP_FAILED ? nullptr : start;
}

// Maps more than asked for and returns what is outside of the aligned part.
void *map_huge(std::size_t bytes) {
    char *start = static_cast<char *>(map(bytes + huge_page));
    if (!start)
        return nullptr;
    const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(start) % huge_page) % huge_page;
    if (before)
        munmap(start, before);
    munmap(start + before + bytes, huge_page - before);
#ifdef MADV_HUGEPAGE
    madvise(start + before, bytes, MADV_HUGEPAGE); // a wish: without huge pages it is slower, not wrong
#endif
    return start + before;
}

void *map_well(std::size_t bytes) { return bytes >= huge_page ? map_huge(bytes) : map(bytes); }

// Moves what is in `bytes` bytes from one mapping to the start of another; the first is gone then.
bool move_pages(void *from, std::size_t bytes, void *to) {
#ifdef MREMAP_FIXED
    return mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
#else
    std::memcpy(to, from, bytes);
    return munmap(from, bytes) == 0;
#endif
}

std::size_t whole_pages(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
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

Region::Region(Budget &budget, std::size_t bytes) {
    bytes = whole_pages(std::max<std::size_t>(bytes, 1));
    budget.take(bytes);
    start_ = map_well(bytes);
    if (!start_) {
        budget.give_back(bytes);
        throw std::bad_alloc();
    }
    budget_ = &budget;
    bytes_ = bytes;
}

void Region::extend(std::size_t bytes) {
    bytes = whole_pages(bytes);
    budget_->take(bytes - bytes_);
    void *larger = map_well(bytes);
    if (!larger || !move_pages(start_, bytes_, larger)) {
        if (larger)
            munmap(larger, bytes);
        budget_->give_back(bytes - bytes_);
        throw std::bad_alloc();
    }
    start_ = larger;
    bytes_ = bytes;
}

void Region::release() {
    if (!start_)
        return;
    munmap(start_, bytes_);
    budget_->give_back(bytes_);
    start_ = nullptr;
}

} // namespace asset

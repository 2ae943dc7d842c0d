#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "memory.h"
#include "pages.h"

namespace asset::pages {
namespace {

void *map_anywhere(std::size_t bytes) {
    void *start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start == MAP_FAILED ? nullptr : start;
}

// Maps more than asked for and returns what is outside of the aligned part.
void *map_huge(std::size_t bytes) {
    char *start = static_cast<char *>(map_anywhere(bytes + huge_page));
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

} // namespace

std::size_t size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t physical_memory() { return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * size(); }

void *map(std::size_t bytes) { return bytes >= huge_page ? map_huge(bytes) : map_anywhere(bytes); }

void unmap(void *start, std::size_t bytes) { munmap(start, bytes); }

bool move(void *from, std::size_t bytes, void *to) {
#ifdef MREMAP_FIXED
    return mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
#else
    std::memcpy(to, from, bytes);
    return munmap(from, bytes) == 0;
#endif
}

} // namespace asset::pages

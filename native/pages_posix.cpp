#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>

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

bool reserve(int file, std::size_t from, std::size_t bytes) {
#ifdef __APPLE__
    const std::string zeros(bytes, '\0'); // it has no call for it
    return pwrite(file, zeros.data(), bytes, static_cast<off_t>(from)) == static_cast<ssize_t>(bytes);
#else
    errno = posix_fallocate(file, static_cast<off_t>(from), static_cast<off_t>(bytes));
    return errno == 0;
#endif
}

} // namespace

std::size_t size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t physical_memory() { return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * size(); }

void *map(std::size_t bytes) { return bytes >= huge_page ? map_huge(bytes) : map_anywhere(bytes); }

void unmap(void *start, std::size_t bytes) { munmap(start, bytes); }

std::unique_ptr<File> File::temporary() {
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
    return failed ? nullptr : in(folder.string());
}

std::unique_ptr<File> File::in(const std::string &folder) {
    std::string name = (std::filesystem::path(folder) / "asset-pages-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0)
        return nullptr;
    unlink(name.c_str());
    return std::make_unique<File>(descriptor);
}

File::~File() { close(descriptor_); }

void *File::map(std::size_t bytes) {
    const std::size_t from = size_.fetch_add(bytes);
    if (!reserve(descriptor_, from, bytes)) // else a full disk would end the process, when a page is written
        return nullptr;
    void *start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, static_cast<off_t>(from));
    return start == MAP_FAILED ? nullptr : start;
}

void *File::extend(void *start, std::size_t bytes, std::size_t larger) {
    if (!reserve(descriptor_, bytes, larger - bytes))
        return nullptr;
#ifdef MREMAP_MAYMOVE
    void *moved = mremap(start, bytes, larger, MREMAP_MAYMOVE);
#else
    void *moved = mmap(nullptr, larger, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (moved != MAP_FAILED)
        munmap(start, bytes);
#endif
    return moved == MAP_FAILED ? nullptr : moved;
}

void leave_memory(void *start, std::size_t bytes) { madvise(start, bytes, MADV_DONTNEED); }

void bring_few(void *start, std::size_t bytes) { madvise(start, bytes, MADV_RANDOM); }

Residence::Residence() : statistics_(open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {}

Residence::~Residence() {
    if (statistics_ >= 0)
        close(statistics_);
}

std::size_t Residence::of_files() const {
    char text[128];
    const ssize_t length = statistics_ >= 0 ? pread(statistics_, text, sizeof text - 1, 0) : 0;
    text[std::max<ssize_t>(length, 0)] = '\0';
    std::size_t pages = 0; // the third number
    return std::sscanf(text, "%*u %*u %zu", &pages) == 1 ? pages * size() : 0;
}

bool put_on_disk(std::FILE *file) { return std::fflush(file) == 0 && fsync(fileno(file)) == 0; }

bool replace(const std::string &file, const std::string &place) {
    if (std::rename(file.c_str(), place.c_str()) != 0)
        return false;
    const std::string folder = std::filesystem::path(place).parent_path().string();
    const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY);
    if (descriptor >= 0) { // the name is on the disk when the folder is; some systems cannot say
        fsync(descriptor);
        close(descriptor);
    }
    return true;
}

bool move(void *from, std::size_t bytes, void *to) {
#ifdef MREMAP_FIXED
    return mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
#else
    std::memcpy(to, from, bytes);
    return munmap(from, bytes) == 0;
#endif
}

} // namespace asset::pages

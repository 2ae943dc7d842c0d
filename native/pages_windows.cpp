#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <windows.h>

#include <cerrno>
#include <cstring>

#include "pages.h"

namespace asset::pages {

std::size_t size() {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

std::size_t physical_memory() {
    MEMORYSTATUSEX status;
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) ? static_cast<std::size_t>(status.ullAvailPhys) : std::size_t{1} << 30;
}

// Huge pages would need a privilege that users do not have.
void *map(std::size_t bytes) { return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE); }

void unmap(void *start, std::size_t) { VirtualFree(start, 0, MEM_RELEASE); }

// States stay in memory.
std::unique_ptr<File> File::temporary() { return nullptr; }
std::unique_ptr<File> File::in(const std::string &) { return nullptr; }
File::~File() = default;
void *File::map(std::size_t) { return nullptr; }
void *File::extend(void *, std::size_t, std::size_t) { return nullptr; }
void leave_memory(void *, std::size_t) {}
void bring_few(void *, std::size_t) {}
Residence::Residence() : statistics_(-1) {}
Residence::~Residence() = default;
std::size_t Residence::of_files() const { return 0; }

bool put_on_disk(std::FILE *file) { return std::fflush(file) == 0 && _commit(_fileno(file)) == 0; }

bool replace(const std::string &file, const std::string &place) {
    const DWORD how = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    if (MoveFileExA(file.c_str(), place.c_str(), how))
        return true;
    errno = EACCES;
    return false;
}

bool move(void *from, std::size_t bytes, void *to) {
    std::memcpy(to, from, bytes);
    unmap(from, bytes);
    return true;
}

} // namespace asset::pages

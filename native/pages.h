// Pages of memory, as the operating system gives them: pages_posix.cpp and pages_windows.cpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

namespace asset::pages {

std::size_t size();
std::size_t physical_memory();

// Zeroed pages; if they are as large as a huge page, they are aligned to one if the system can do that, and huge if it
// likes. Null if there are none.
void *map(std::size_t bytes);
void unmap(void *start, std::size_t bytes);

// A file without a name, which is gone when this is. Its pieces are mapped one after the other.
class File {
  public:
    // Null if there is no place for it: in the folder for such files, or in this one.
    static std::unique_ptr<File> temporary();
    static std::unique_ptr<File> in(const std::string &folder);

    explicit File(int descriptor) : descriptor_(descriptor) {}
    File(const File &) = delete;
    ~File();

    // Zeroed pages, for which there is room on the disk. Null if there is not. From any thread.
    void *map(std::size_t bytes);

    // The only piece has this larger size, perhaps at another address. Null, and nothing has changed, if there is no
    // room.
    void *extend(void *start, std::size_t bytes, std::size_t larger);

  private:
    const int descriptor_;
    std::atomic<std::size_t> size_{0};
};

// The pages, of a file, are of no use for now; others are of none at all.
void leave_memory(void *start, std::size_t bytes);

// Of pages of a file that were not touched yet: if one is asked for, few others come to memory with it. Else these may
// be megabytes, which is faster if there is room for them.
void bring_few(void *start, std::size_t bytes);

// Says how much of files is in memory. Of use in the process that has made it.
class Residence {
  public:
    Residence();
    Residence(const Residence &) = delete;
    ~Residence();

    // Bytes that this process has; 0 if the system does not say.
    std::size_t of_files() const;

  private:
    const int statistics_; // a file, which stays open, as it is asked often
};

// What was written to the file is on the disk; false, with errno, if that failed.
bool put_on_disk(std::FILE *file);

// The first file takes the place of the second, at once and for good; false, with errno, if that failed.
bool replace(const std::string &file, const std::string &place);

// Moves what is in `bytes` bytes from one mapping to the start of another; the first is gone then.
bool move(void *from, std::size_t bytes, void *to);

} // namespace asset::pages

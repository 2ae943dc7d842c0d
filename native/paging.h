// Memory that is in files: the pages of it that are in use are in memory too, up to a limit.
//
// The files are mapped, so the system reads and writes pages as they are needed. It would let a process have as many of
// them as there is room for; a thread, and who works with them, look how many there are, and let go of all if these are
// too many. If there may be few, one that is touched brings few others with it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "memory.h"
#include "pages.h"

namespace asset {

class Paging {
  public:
    // Files that nobody sees, in this folder; at most about so many bytes of them are in memory.
    Paging(std::string folder, std::size_t most_bytes);
    Paging(const Paging &) = delete;
    ~Paging();

    // Zeroed pages, or null, if there is no room on the disk. What `grows` keeps a descriptor for that.
    void *map(std::size_t bytes, bool grows = false);
    void *extend(void *start, std::size_t bytes, std::size_t larger);
    void unmap(void *start, std::size_t bytes);

    // Lets go of what is in memory, if that is too much. Nothing is lost: it is read again when it is needed.
    void obey();

    // The same if nobody looked for a while. The thread that does may have to wait for a processor; who works with the
    // pages has one.
    void obey_now_and_then();

    // Why there were no pages, if that was so; and the most bytes that there were.
    std::string failure() const;
    std::uint64_t most() const { return most_.load(std::memory_order_relaxed); }

  private:
    struct Piece {
        std::size_t bytes;
        std::unique_ptr<pages::File> file; // if it is to grow
    };

    void *fail();
    void count(std::uint64_t more);
    void *mapped(pages::File *file, std::size_t bytes) const;
    void watch();
    void let_go();

    const std::string folder_;
    const std::size_t limit_;
    const pages::Residence residence_;
    const std::size_t others_; // bytes of files that are in memory anyhow
    mutable std::mutex access_;
    std::map<char *, Piece> pieces_;
    std::string failure_;
    std::uint64_t bytes_ = 0;
    std::atomic<std::uint64_t> most_{0};
    std::atomic<std::chrono::steady_clock::time_point> looked_{};
    bool ended_ = false;
    std::condition_variable end_;
    std::thread watching_;
};

// A budget in files, for what memory has no room for. It is made when it is first asked for.
class Overflow {
  public:
    Overflow(std::string folder, Budget &memory) : folder_(std::move(folder)), memory_(memory) {}

    Budget &files();

    // From now on memory is counted that pages of files take. Throws std::bad_alloc if there is none left.
    void count_pages();

    const Paging *paging() const { return paging_ ? &*paging_ : nullptr; }

  private:
    const std::string folder_;
    Budget &memory_;
    std::optional<Paging> paging_;
    std::optional<Budget> budget_;
    bool counted_ = false;
};

} // namespace asset

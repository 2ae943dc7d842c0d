#include "paging.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>

namespace asset {
namespace {

// Between two looks of the thread that watches. Who works with the pages looks more often: each page that is touched
// may bring 64 KiB, in a microsecond or two.
constexpr std::chrono::microseconds now_and_then{500}, while_working{20};

// If fewer bytes may be in memory, what is asked for brings few others with it.
constexpr std::size_t many_bytes = std::size_t{1} << 24;

// Memory that is counted for pages of files, of so much in all. All are let go of when half of that is filled: some
// megabytes may come between two looks.
std::size_t pages_of(std::size_t memory) { return std::min(memory / 4, memory / 16 + (std::size_t{1} << 24)); }

} // namespace

Paging::Paging(std::string folder, std::size_t most_bytes)
    : folder_(std::move(folder)), limit_(most_bytes), others_(residence_.of_files()), watching_([this] { watch(); }) {}

Paging::~Paging() {
    {
        const std::scoped_lock lock(access_);
        ended_ = true;
    }
    end_.notify_all();
    watching_.join();
}

void *Paging::map(std::size_t bytes, bool grows) {
    std::unique_ptr<pages::File> file = pages::File::in(folder_);
    void *start = mapped(file.get(), bytes);
    const std::scoped_lock lock(access_);
    if (!start)
        return fail();
    pieces_[static_cast<char *>(start)] = {bytes, grows ? std::move(file) : nullptr};
    count(bytes);
    return start;
}

void *Paging::mapped(pages::File *file, std::size_t bytes) const {
    void *start = file ? file->map(bytes) : nullptr;
    if (start && limit_ < many_bytes)
        pages::bring_few(start, bytes);
    return start;
}

void *Paging::extend(void *start, std::size_t bytes, std::size_t larger) {
    const std::scoped_lock lock(access_); // else it could be let go of where it no longer is
    const auto piece = pieces_.find(static_cast<char *>(start));
    void *moved = piece->second.file->extend(start, bytes, larger);
    if (!moved)
        return fail();
    Piece same = std::move(piece->second);
    pieces_.erase(piece);
    same.bytes = larger;
    pieces_[static_cast<char *>(moved)] = std::move(same);
    count(larger - bytes);
    return moved;
}

void Paging::unmap(void *start, std::size_t bytes) {
    const std::scoped_lock lock(access_);
    pieces_.erase(static_cast<char *>(start));
    pages::unmap(start, bytes);
    bytes_ -= bytes;
}

void Paging::obey() {
    const std::scoped_lock lock(access_);
    let_go();
}

void Paging::obey_now_and_then() {
    if (std::chrono::steady_clock::now() - looked_.load(std::memory_order_relaxed) >= while_working)
        obey();
}

std::string Paging::failure() const {
    const std::scoped_lock lock(access_);
    return failure_;
}

void *Paging::fail() {
    failure_ = "nothing more can be written to " + folder_ + ": " + std::strerror(errno);
    return nullptr;
}

void Paging::count(std::uint64_t more) {
    bytes_ += more;
    most_ = std::max(most_.load(), bytes_);
}

void Paging::watch() {
    std::unique_lock lock(access_);
    while (!end_.wait_for(lock, now_and_then, [this] { return ended_; }))
        let_go();
}

void Paging::let_go() {
    looked_.store(std::chrono::steady_clock::now(), std::memory_order_relaxed);
    if (residence_.of_files() <= others_ + limit_)
        return;
    for (const auto &[start, piece] : pieces_)
        pages::leave_memory(start, piece.bytes);
}

Budget &Overflow::files() {
    if (!budget_)
        try {
            budget_.emplace(paging_.emplace(folder_, pages_of(memory_.limit()) / 2));
        } catch (const std::system_error &) { // no thread is to be had that watches the pages
            throw std::bad_alloc();
        }
    return *budget_;
}

void Overflow::count_pages() {
    if (!counted_)
        memory_.take(pages_of(memory_.limit()));
    counted_ = true;
}

} // namespace asset

#include "snapshot.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "pages.h"
#include "store.h"

namespace asset {
namespace {

// The last digit is that of the format: it changes whenever what is archived does.
constexpr char magic[] = "ASSETCP1";
constexpr std::size_t magic_bytes = sizeof magic - 1;

// Behind everything else.
struct Ending {
    std::uint64_t length, checksum;
};

} // namespace

void Blocks::pass(const char *data, std::size_t bytes) {
    length_ += bytes;
    for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i, std::min(sizeof word, bytes - i));
        checksum_ = fold_multiply(checksum_ ^ word ^ 0x2d358dccaa6c78a5u, 0x9e3779b97f4a7c15u) + word;
    }
}

SnapshotWriter::SnapshotWriter(std::string file, const std::string &told)
    : file_(std::move(file)), beside_(file_ + ".new"), handle_(std::fopen(beside_.c_str(), "wb")) {
    if (!handle_)
        fail();
    buffer_.reserve(Blocks::block);
    raw(magic, magic_bytes);
    std::uint64_t size = told.size();
    raw(&size, sizeof size);
    raw(told.data(), told.size());
}

SnapshotWriter::~SnapshotWriter() {
    if (handle_)
        std::remove(beside_.c_str());
}

void SnapshotWriter::raw(const void *data, std::size_t bytes) {
    const char *from = static_cast<const char *>(data);
    while (bytes) {
        const std::size_t part = std::min(bytes, Blocks::block - buffer_.size());
        buffer_.insert(buffer_.end(), from, from + part);
        from += part;
        bytes -= part;
        if (buffer_.size() == Blocks::block)
            flush();
    }
}

void SnapshotWriter::flush() {
    blocks_.pass(buffer_.data(), buffer_.size());
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), handle_.get()) != buffer_.size())
        fail();
    buffer_.clear();
}

void SnapshotWriter::finish() {
    flush();
    const Ending ending{blocks_.length(), blocks_.checksum()};
    if (std::fwrite(&ending, sizeof ending, 1, handle_.get()) != 1 || !pages::put_on_disk(handle_.get()))
        fail();
    if (std::fclose(handle_.release()) != 0 || !pages::replace(beside_, file_)) {
        const int reason = errno;
        std::remove(beside_.c_str());
        throw SnapshotFailed(file_ + ": " + std::strerror(reason));
    }
}

void SnapshotWriter::fail() { throw SnapshotFailed(beside_ + ": " + std::strerror(errno)); }

SnapshotReader::SnapshotReader(const std::string &file) : handle_(std::fopen(file.c_str(), "rb")) {
    if (!handle_)
        throw SnapshotFailed(file + ": " + std::strerror(errno));
    left_ = verified(file);
    std::rewind(handle_.get());
    std::string told(magic_bytes, '\0');
    raw(told.data(), magic_bytes);
    std::uint64_t size = 0;
    raw(&size, sizeof size);
    if (told != magic || size > left_)
        damaged();
    told.resize(size);
    raw(told.data(), size);
}

// How many bytes there are before the ending, all of which were read once.
std::uint64_t SnapshotReader::verified(const std::string &file) {
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(file, failed);
    if (failed || size < sizeof(Ending))
        damaged();
    std::vector<char> buffer(Blocks::block);
    Blocks blocks;
    for (std::uintmax_t rest = left_ = size; rest > sizeof(Ending);) {
        const std::size_t part = std::min<std::uintmax_t>(Blocks::block, rest - sizeof(Ending));
        raw(buffer.data(), part);
        blocks.pass(buffer.data(), part);
        rest -= part;
    }
    Ending ending{};
    raw(&ending, sizeof ending);
    if (ending.length != blocks.length() || ending.checksum != blocks.checksum())
        damaged();
    return ending.length;
}

void SnapshotReader::raw(void *data, std::size_t bytes) {
    if (bytes > left_ || std::fread(data, 1, bytes, handle_.get()) != bytes)
        damaged();
    left_ -= bytes;
}

void SnapshotReader::damaged() { throw SnapshotFailed("it is not a whole checkpoint"); }

} // namespace asset

// What must be known of a search to go on with it, in a file. It is written beside the last one and takes its place
// when all of it is on the disk: so there is always a whole one, whenever the process or the machine ends.
//
// The file: a magic number, a text that says what is searched (which is for the caller), then what is archived, and, to
// see that nothing is missing or damaged, how many bytes that was and a checksum. Whoever has something to keep offers
//
//   template <class Archive> void archive(Archive &archive) { archive(part, part…); }
//
// which writes the parts or reads them, in the same order: numbers, vectors, and what offers the same.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace asset {

// The file cannot be written, or is not a whole one.
struct SnapshotFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct CloseFile {
    void operator()(std::FILE *file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

// The bytes of a file in blocks, with a checksum of those that passed.
class Blocks {
  public:
    static constexpr std::size_t block = 1 << 20;

    std::uint64_t length() const { return length_; }
    std::uint64_t checksum() const { return checksum_; }

    // The next bytes are these; all but the last call have whole blocks.
    void pass(const char *data, std::size_t bytes);

  private:
    std::uint64_t length_ = 0, checksum_ = 0;
};

template <class Archive> class Archiving {
  public:
    template <class... Parts> void operator()(Parts &...parts) { (each(parts), ...); }

  private:
    template <class T> void each(T &value) {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
            self().raw(&value, sizeof value);
        else
            value.archive(self());
    }

    template <class T> void each(std::vector<T> &values) {
        std::uint64_t size = values.size();
        self().raw(&size, sizeof size);
        self().resize(values, size);
        if constexpr (std::is_trivially_copyable_v<T>)
            self().raw(values.data(), size * sizeof(T));
        else
            for (T &value : values)
                each(value);
    }

    Archive &self() { return static_cast<Archive &>(*this); }
};

class SnapshotWriter : public Archiving<SnapshotWriter> {
  public:
    static constexpr bool writes = true;

    // Begins a file beside this one. Throws SnapshotFailed, as do the others.
    SnapshotWriter(std::string file, const std::string &told);
    ~SnapshotWriter(); // without `finish`, the file is as it was

    void raw(const void *data, std::size_t bytes);
    template <class T> void resize(const std::vector<T> &, std::uint64_t) {}

    // All of it is on the disk, in the place of the file.
    void finish();

  private:
    [[noreturn]] void fail();
    void flush();

    const std::string file_, beside_;
    FileHandle handle_;
    std::vector<char> buffer_;
    Blocks blocks_;
};

class SnapshotReader : public Archiving<SnapshotReader> {
  public:
    static constexpr bool writes = false;

    // Throws SnapshotFailed if the file is not a whole one.
    explicit SnapshotReader(const std::string &file);

    void raw(void *data, std::size_t bytes);

    template <class T> void resize(std::vector<T> &values, std::uint64_t size) {
        if (size > left_)
            damaged();
        values.resize(size);
    }

  private:
    [[noreturn]] static void damaged();
    std::uint64_t verified(const std::string &file);

    FileHandle handle_;
    std::uint64_t left_ = 0; // bytes that are still to be read
};

} // namespace asset

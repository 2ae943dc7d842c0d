#include "spill.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>

namespace asset {
namespace {

std::string unused_name(const std::string &folder) {
    static std::atomic<unsigned> next{0};
    const unsigned chance = std::random_device()();
    const std::string name = "asset-spill-" + std::to_string(chance) + "-" + std::to_string(next++);
    return (std::filesystem::path(folder) / name).string();
}

void seek(std::FILE *file, std::uint64_t byte) {
#ifdef _WIN32
    _fseeki64(file, static_cast<long long>(byte), SEEK_SET);
#else
    fseeko(file, static_cast<off_t>(byte), SEEK_SET);
#endif
}

} // namespace

SpillFile::SpillFile(const std::string &folder)
    : folder_(folder), name_(unused_name(folder)), file_(std::fopen(name_.c_str(), "w+bx")) {
    if (!file_)
        fail("no file can be made in");
    std::setvbuf(file_, nullptr, _IONBF, 0);
    std::remove(name_.c_str());
}

SpillFile::~SpillFile() {
    std::fclose(file_);
    std::remove(name_.c_str());
}

void SpillFile::append(const Word *words, std::size_t count) {
    seek(file_, words_ * sizeof(Word));
    if (std::fwrite(words, sizeof(Word), count, file_) != count)
        fail("nothing more can be written to");
    words_ += count;
}

void SpillFile::read(std::uint64_t first, Word *words, std::size_t count) const {
    seek(file_, first * sizeof(Word));
    if (std::fread(words, sizeof(Word), count, file_) != count)
        fail("what was written cannot be read from");
}

void SpillFile::fail(const char *what) const {
    throw SpillFailed(std::string(what) + " " + folder_ + ": " + std::strerror(errno));
}

} // namespace asset

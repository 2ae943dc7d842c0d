// Pages of memory, as the operating system gives them: pages_posix.cpp and pages_windows.cpp.
#pragma once

#include <cstddef>

namespace asset::pages {

std::size_t size();
std::size_t physical_memory();

// Zeroed pages; if they are as large as a huge page, they are aligned to one if the system can do that, and huge if it
// likes. Null if there are none.
void *map(std::size_t bytes);
void unmap(void *start, std::size_t bytes);

// Moves what is in `bytes` bytes from one mapping to the start of another; the first is gone then.
bool move(void *from, std::size_t bytes, void *to);

} // namespace asset::pages

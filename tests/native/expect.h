// Expectations of a test program: those that are not met are told, and counted.
#pragma once

#include <cstdio>
#include <string_view>

inline int failures = 0;

#define EXPECT(condition)                                                                                              \
    ((condition) ? void() : (++failures, void(std::printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition))))

// Whether only what several threads do is to be tested: that is what ThreadSanitizer is for, and all is slow under it.
inline bool threads_only(int argc, char **argv) { return argc > 1 && std::string_view(argv[1]) == "threads"; }

// What a test program returns.
inline int told() {
    std::printf(failures ? "%d expectations failed\n" : "all expectations met\n", failures);
    return failures != 0;
}

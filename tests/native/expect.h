// Expectations of a test program: those that are not met are told, and counted.
#pragma once

#include <cstdio>

inline int failures = 0;

#define EXPECT(condition)                                                                                              \
    ((condition) ? void() : (++failures, void(std::printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition))))

// What a test program returns.
inline int told() {
    std::printf(failures ? "%d expectations failed\n" : "all expectations met\n", failures);
    return failures != 0;
}

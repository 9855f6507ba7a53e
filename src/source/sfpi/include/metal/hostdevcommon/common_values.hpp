// What semaphores hold between kernels.
#pragma once

inline constexpr unsigned INVALID = 0, VALID = 1;

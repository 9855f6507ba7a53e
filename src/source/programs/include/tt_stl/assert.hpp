#pragma once

#include "../lanewise/assert.hpp"

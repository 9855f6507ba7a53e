#pragma once

#include "../lanewise/run.hpp"

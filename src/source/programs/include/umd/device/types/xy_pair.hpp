#pragma once

#include "../../../lanewise/types.hpp"

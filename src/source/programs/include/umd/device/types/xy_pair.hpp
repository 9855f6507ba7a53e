#pragma once

#include "../../../lanewise/cores.hpp"

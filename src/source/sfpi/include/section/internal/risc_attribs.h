#pragma once

#include "../risc_attribs.h"

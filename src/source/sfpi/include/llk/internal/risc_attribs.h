// The place where newer software looks for the pointer attributes.
#pragma once

#include "../risc_attribs.h"

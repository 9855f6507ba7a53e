#pragma once

#include "api/dataflow/noc.h"

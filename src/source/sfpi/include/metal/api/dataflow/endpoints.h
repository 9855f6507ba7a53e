// Places on the NoC are with what uses them.
#pragma once

#include "api/dataflow/noc.h"

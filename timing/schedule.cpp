#include "timing/schedule.h"

// The host's C library asks for this file where words have 32 bits, and a host may lack it: the
// functions that the library is without.
#pragma once

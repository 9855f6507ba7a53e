// Address-space attributes of pointers. On the host there is one address space.
#pragma once

#define tt_l1_ptr
#define tt_reg_ptr
#define rvtt_l1_ptr
#define rvtt_reg_ptr

// A circular buffer as an object.
#pragma once

#if defined(COMPILE_FOR_TRISC)
#include "api/compute/cb_api.h"
#else
#include "api/dataflow/dataflow_api.h"
#endif

class CircularBuffer {
 public:
  explicit CircularBuffer(std::uint32_t cb) : cb_(cb) {}

  std::uint32_t get_cb_id() const { return cb_; }
  void reserve_back(std::uint32_t pages) const { cb_reserve_back(cb_, pages); }
  void push_back(std::uint32_t pages) const { cb_push_back(cb_, pages); }
  void wait_front(std::uint32_t pages) const { cb_wait_front(cb_, pages); }
  void pop_front(std::uint32_t pages) const { cb_pop_front(cb_, pages); }
  std::uint32_t get_tile_size() const { return ::get_tile_size(cb_); }
#if !defined(COMPILE_FOR_TRISC)
  std::uint32_t get_write_ptr() const {
    return ::get_write_ptr(cb_);
  }
  std::uint32_t get_read_ptr() const {
    return ::get_read_ptr(cb_);
  }
#endif

 private:
  std::uint32_t cb_;
};

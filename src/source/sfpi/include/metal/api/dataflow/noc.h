// A NoC as an object: reads and writes between buffers, circular buffers and places on the NoC.
#pragma once

#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/dataflow_api.h"

/// What a transaction has beside its ends.
enum class NocOptions : std::uint32_t {
  DEFAULT = 0,
  MCAST_INCL_SRC = 1U << 3 ///< a multicast that its sender receives, too
};
constexpr bool has_flag(NocOptions options, NocOptions flag) {
  return (static_cast<std::uint32_t>(options) & static_cast<std::uint32_t>(flag)) != 0;
}

/// A place on the NoC, by coordinates; and a rectangle of them.
struct UnicastEndpoint {};
struct MulticastEndpoint {};

namespace lanewise_metal {

/// What says where in something a transaction begins or ends.
template <class T>
struct End;

template <class Args>
struct End<TensorAccessor<Args>> {
  struct Where {
    u32 page_id = 0, offset_bytes = 0;
  };
  static std::uint64_t address(const TensorAccessor<Args>& from, const Where& where, u32 noc) {
    return from.get_noc_addr(where.page_id, where.offset_bytes, noc);
  }
};

template <>
struct End<CircularBuffer> {
  struct Where {
    u32 offset_bytes = 0;
  };
  static u32 source(const CircularBuffer& cb, const Where& where) {
    return cb.get_read_ptr() + where.offset_bytes;
  }
  static u32 destination(const CircularBuffer& cb, const Where& where) {
    return cb.get_write_ptr() + where.offset_bytes;
  }
  struct Many {
    u32 noc_x_start = 0, noc_y_start = 0, noc_x_end = 0, noc_y_end = 0, offset_bytes = 0;
  };
  static std::uint64_t many(const CircularBuffer& cb, const Many& where, u32 noc) {
    return get_noc_multicast_addr(where.noc_x_start, where.noc_y_start, where.noc_x_end,
                                  where.noc_y_end, cb.get_write_ptr() + where.offset_bytes, noc);
  }
};

template <>
struct End<UnicastEndpoint> {
  struct Where {
    u32 noc_x = 0, noc_y = 0, addr = 0;
  };
  static std::uint64_t address(const UnicastEndpoint&, const Where& where, u32 noc) {
    return get_noc_addr(where.noc_x, where.noc_y, where.addr, noc);
  }
};

template <>
struct End<MulticastEndpoint> {
  struct Many {
    u32 noc_x_start = 0, noc_y_start = 0, noc_x_end = 0, noc_y_end = 0, addr = 0;
  };
  static std::uint64_t many(const MulticastEndpoint&, const Many& where, u32 noc) {
    return get_noc_multicast_addr(where.noc_x_start, where.noc_y_start, where.noc_x_end,
                                  where.noc_y_end, where.addr, noc);
  }
};

template <class T>
using Where = typename End<T>::Where;
template <class T>
using Many = typename End<T>::Many;

} // namespace lanewise_metal

class Noc {
 public:
  Noc() : noc_(noc_index) {}
  explicit Noc(std::uint8_t noc) : noc_(noc) {}

  std::uint8_t get_noc_id() const { return noc_; }

  template <class From, class To>
  void async_read(const From& from, const To& to, std::uint32_t bytes,
                  const lanewise_metal::Where<From>& from_where,
                  const lanewise_metal::Where<To>& to_where) const {
    lanewise_metal::read(lanewise_metal::End<From>::address(from, from_where, noc_),
                         lanewise_metal::End<To>::destination(to, to_where), bytes, noc_);
  }
  template <class From, class To>
  void async_write(const From& from, const To& to, std::uint32_t bytes,
                   const lanewise_metal::Where<From>& from_where,
                   const lanewise_metal::Where<To>& to_where) const {
    lanewise_metal::write(lanewise_metal::End<From>::source(from, from_where),
                          lanewise_metal::End<To>::address(to, to_where, noc_), bytes, noc_);
  }
  template <NocOptions options = NocOptions::DEFAULT, class From, class To>
  void async_write_multicast(const From& from, const To& to, std::uint32_t bytes,
                             std::uint32_t receivers, const lanewise_metal::Where<From>& from_where,
                             const lanewise_metal::Many<To>& to_where, bool linked = false) const {
    lanewise_metal::multicast(lanewise_metal::End<From>::source(from, from_where),
                              lanewise_metal::End<To>::many(to, to_where, noc_), bytes, receivers,
                              noc_, linked, has_flag(options, NocOptions::MCAST_INCL_SRC));
  }
  void async_read_barrier() const { noc_async_read_barrier(noc_); }
  void async_write_barrier() const { noc_async_write_barrier(noc_); }
  void async_writes_flushed() const { noc_async_writes_flushed(noc_); }
  void async_atomic_barrier() const { noc_async_atomic_barrier(noc_); }
  void async_full_barrier() const { noc_async_full_barrier(noc_); }

 private:
  std::uint8_t noc_;
};

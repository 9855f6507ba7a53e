// A queue of a few numbers or small records, in one piece of memory that is used again and again.
#pragma once

#include <cstddef>
#include <vector>

namespace lanewise::clock {

template <class T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  /// The one that is `i` behind the first. Precondition: i < size().
  T& operator[](std::size_t i) { return places_[(first_ + i) & (places_.size() - 1)]; }
  const T& operator[](std::size_t i) const { return places_[(first_ + i) & (places_.size() - 1)]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }

  void push_back(const T& value) {
    if (size_ == places_.size()) grow();
    ++size_;
    (*this)[size_ - 1] = value;
  }

  void pop_front() {
    first_ = (first_ + 1) & (places_.size() - 1);
    --size_;
  }

 private:
  static constexpr std::size_t kFewest = 16;

  void grow() {
    std::vector<T> more(2 * places_.size());
    for (std::size_t i = 0; i < size_; ++i) more[i] = (*this)[i];
    places_.swap(more);
    first_ = 0;
  }

  std::vector<T> places_ = std::vector<T>(kFewest); ///< as many as a power of two
  std::size_t first_ = 0, size_ = 0;
};

} // namespace lanewise::clock

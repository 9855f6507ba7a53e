// A host program that does what it must not: its argument says what.
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

using namespace tt::tt_metal;

namespace {

std::shared_ptr<distributed::MeshBuffer> buffer_of(distributed::MeshDevice* device,
                                                   std::uint64_t tiles) {
  constexpr std::uint64_t kTile = 2048;
  return distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = tiles * kTile},
                                         distributed::DeviceLocalBufferConfig{.page_size = kTile},
                                         device);
}

int overflow(int depth) {
  volatile char room[4096] = {};
  room[0] = static_cast<char>(depth);
  return depth == -1 ? 0 : overflow(depth + 1) + room[0];
}

} // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto& queue = device->mesh_command_queue();
  if (what == "good") return 0;
  if (what == "verdict") return 3;
  if (what == "exit") std::exit(4);
  if (what == "crash") *reinterpret_cast<volatile int*>(16) = 1;
  if (what == "stack") return overflow(0);
  if (what == "abort") std::abort();
  if (what == "throw") throw std::runtime_error("a fine reason");
  if (what == "loop")
    for (volatile int i = 0;; i = i + 1) {
    }
  if (what == "sleep") return ::usleep(100'000'000) + static_cast<int>(::sleep(100));
  if (what == "wait") ::pause();
  if (what == "leak")
    for (char* volatile kept = nullptr;;) kept = new char[1 << 20];
  if (what == "fork") return ::fork();
  if (what == "write") std::ofstream("written.txt") << "x";
  if (what == "tiles") buffer_of(device.get(), 1'000'000'000);
  if (what == "much") {
    auto much = buffer_of(device.get(), 2'000'000);
    std::vector<std::uint32_t> data(512);
    EnqueueWriteMeshBuffer(queue, much, data);
  }
  if (what == "other core") {
    auto program = CreateProgram();
    CreateKernel(program, "none.cpp", CoreCoord(11, 2), DataMovementConfig{});
  }
  if (what == "swallowed") {
    try {
      distributed::MeshDevice::create_unit_mesh(5);
    } catch (const std::exception&) {
    }
  }
  if (what == "freed") {
    auto buffer = buffer_of(device.get(), 1);
    buffer->deallocate();
    std::vector<std::uint32_t> data(512);
    EnqueueWriteMeshBuffer(queue, buffer, data);
  }
  if (what == "nonsense") {
    const char* const channel = std::getenv("LANEWISE_CHANNEL");
    (void)!::write(std::atoi(channel), "nonsense that is no request", 27);
    char answer[16];
    return ::read(std::atoi(channel), answer, sizeof answer) == 0 ? 5 : 6;
  }
  if (what == "arguments") {
    fmt::print("{} words\n", argc);
    return 0;
  }
  return 0;
}

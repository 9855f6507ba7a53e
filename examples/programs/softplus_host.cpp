// A host program: log(1 + e^x) of four tiles, kernel text and all, against std::log1p.
//
//   I="-I src/source/programs/include"
//   g++ -std=c++20 $I examples/programs/softplus_host.cpp -o softplus_host -lfmt
//   LANEWISE=./lanewise ./softplus_host
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

using namespace tt::tt_metal;

namespace {

const std::string kCompute = R"(
#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/softplus.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  const uint32_t tiles = get_arg_val<uint32_t>(0);
  init_sfpu(0, 16);
  softplus_tile_init();
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    cb_wait_front(0, 1);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    softplus_tile(0, 0x3F800000, 0x3F800000, 0x41A00000); // beta 1, above 20 x itself
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
}
)";

constexpr std::uint32_t kTiles = 4, kTileBytes = 2048, kNumbers = kTiles * 1024;

std::shared_ptr<distributed::MeshBuffer> make_buffer(distributed::MeshDevice& device) {
  const distributed::DeviceLocalBufferConfig local{.page_size = kTileBytes,
                                                   .buffer_type = BufferType::DRAM};
  return distributed::MeshBuffer::create(
      distributed::ReplicatedBufferConfig{.size = kTiles * kTileBytes}, local, &device);
}

void add_circular_buffer(Program& program, CoreCoord core, std::uint32_t index) {
  CreateCircularBuffer(program, core,
                       CircularBufferConfig(2 * kTileBytes, {{index, tt::DataFormat::Float16_b}})
                           .set_page_size(index, kTileBytes));
}

} // namespace

int main() {
  const auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto& queue = device->mesh_command_queue();
  const auto x = make_buffer(*device), y = make_buffer(*device);
  std::vector<bfloat16> numbers(kNumbers);
  for (std::uint32_t i = 0; i < kNumbers; ++i)
    numbers[i] = bfloat16(-8.0f + 16.0f * static_cast<float>(i) / kNumbers);
  distributed::EnqueueWriteMeshBuffer(queue, x, numbers, false);

  Program program = CreateProgram();
  const CoreCoord core{0, 0};
  add_circular_buffer(program, core, 0);
  add_circular_buffer(program, core, 16);
  std::vector<std::uint32_t> reader_args, writer_args;
  TensorAccessorArgs(*x).append_to(reader_args);
  TensorAccessorArgs(*y).append_to(writer_args);
  const auto reader = CreateKernel(program, "examples/programs/kernels/read_one.cpp", core,
                                   ReaderDataMovementConfig(reader_args));
  const auto writer = CreateKernel(program, "examples/programs/kernels/write.cpp", core,
                                   WriterDataMovementConfig(writer_args));
  const auto compute = CreateKernelFromString(program, kCompute, core, ComputeConfig{});
  SetRuntimeArgs(program, reader, core, {static_cast<std::uint32_t>(x->address()), kTiles});
  SetRuntimeArgs(program, writer, core, {static_cast<std::uint32_t>(y->address()), kTiles});
  SetRuntimeArgs(program, compute, core, {kTiles});

  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(queue, workload, false);
  std::vector<bfloat16> results;
  distributed::EnqueueReadMeshBuffer(queue, results, y, true);

  float worst = 0;
  for (std::uint32_t i = 0; i < kNumbers; ++i) {
    const float exact = std::log1p(std::exp(static_cast<float>(numbers[i])));
    worst = std::max(worst, std::abs(static_cast<float>(results[i]) - exact) / exact);
  }
  std::printf("largest relative error: %.5f\n", worst);
  // The next bf16 is 0.0078 away at most, as far as tt-metal's own softplus may be.
  return worst < 0.0078f ? 0 : 1;
}

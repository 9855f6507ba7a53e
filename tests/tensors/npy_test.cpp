#include "number/tensors/npy.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/file.h"

namespace lanewise::tensors {
namespace {

using formats::Format;

using namespace std::string_literals;

std::vector<std::byte> to_bytes(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// A file of version `major`.0 with this header, as NEP 1 lays it out, without padding.
std::vector<std::byte> npy_file(std::string_view header, std::string_view data, char major = 1) {
  std::string file = "\x93NUMPY"s + major + '\0' + static_cast<char>(header.size()) + '\0';
  if (major > 1) file += "\0\0"s;
  return to_bytes(file.append(header).append(data));
}

std::vector<std::byte> npy_file_of(std::string_view descr, std::string_view shape,
                                   std::string_view data, std::string_view fortran = "False") {
  return npy_file("{'descr': '" + std::string(descr) + "', 'fortran_order': " +
                      std::string(fortran) + ", 'shape': " + std::string(shape) + "}\n",
                  data);
}

std::vector<double> values_of(std::string_view descr, std::string_view shape,
                              std::string_view data) {
  const auto array = parse_npy(npy_file_of(descr, shape, data), "a.npy");
  if (array) return array->values;
  ADD_FAILURE() << to_string(array.error());
  return {};
}

Fault fault_of(const std::vector<std::byte>& file) {
  const auto array = parse_npy(file, "a.npy");
  if (!array) return array.error();
  ADD_FAILURE() << "was read";
  return {};
}

TEST(Npy, WritesTheLayoutOfNep1) {
  const Tensor tensor{.shape = {3}, .bits = {0x3F80, 0xC000, 0x0000}, .format = Format::BF16};
  // Magic, version 1.0, header length 0076: 10 + 118 bytes are 128, a multiple of 64.
  std::string expected = "\x93NUMPY\x01\0\x76\0"s;
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  expected += std::string(127 - expected.size(), ' ') + '\n';
  expected += "\0\0\x80\x3F\0\0\0\xC0\0\0\0\0"s; // 1, -2, 0 in little-endian binary32
  EXPECT_EQ(npy_bytes(tensor), to_bytes(expected));
}

// number/tensors/npy.h: the dtype has all numbers of the format.
TEST(Npy, WritesADtypeThatHasAllNumbers) {
  constexpr std::array<std::pair<Format, std::string_view>, 8> kDtypes{{{Format::FP32, "<f4"},
                                                                        {Format::BF16, "<f4"},
                                                                        {Format::FP16, "<f4"},
                                                                        {Format::INT32, "<i4"},
                                                                        {Format::INT16, "<i2"},
                                                                        {Format::UINT16, "<u2"},
                                                                        {Format::INT8, "<i2"},
                                                                        {Format::UINT32, "<u4"}}};
  for (const auto& [format, dtype] : kDtypes) {
    const auto bytes = npy_bytes({.shape = {1}, .bits = {0}, .format = format});
    const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    EXPECT_NE(text.find("{'descr': '" + std::string(dtype) + "',"), std::string::npos) << dtype;
  }
}

TEST(Npy, WritesShapesAsPythonTuples) {
  const auto text_of = [](std::vector<std::size_t> shape, std::size_t count) {
    const auto bytes =
        npy_bytes({std::move(shape), std::vector<std::uint32_t>(count), Format::FP32});
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  };
  EXPECT_NE(text_of({}, 1).find("'shape': (), }"), std::string::npos);
  EXPECT_NE(text_of({7}, 7).find("'shape': (7,), }"), std::string::npos);
  EXPECT_NE(text_of({2, 3}, 6).find("'shape': (2, 3), }"), std::string::npos);
}

TEST(Npy, ReadsBackEveryPatternItWrites) {
  for (const Format format : formats::kFormats) {
    SCOPED_TRACE(formats::format_name(format));
    Tensor tensor{.shape = {256, 256}, .bits = {}, .format = format};
    for (std::uint32_t pattern = 0; pattern < 0x1'0000; ++pattern) {
      const std::uint32_t stored = formats::is_32bit(format) ? pattern * 0x1'0001 : pattern;
      tensor.bits.push_back(formats::value_bits(format, stored));
    }
    const auto bytes = npy_bytes(tensor);
    ASSERT_TRUE(bytes);
    const auto array = parse_npy(*bytes, "a.npy");
    ASSERT_TRUE(array) << to_string(array.error());
    const auto again = tensor_from_npy(*array, format);
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(again->shape, tensor.shape);
    for (std::size_t i = 0; i < tensor.bits.size(); ++i) {
      // Denormals of the short floats and the integer -0 become zeros (number/formats/format.h).
      const double value = formats::value_of_bits(format, tensor.bits[i]);
      ASSERT_EQ(array->values[i] == value || std::isnan(value), true) << i;
      const std::uint32_t expected =
          format == Format::FP32 ? tensor.bits[i] : formats::round_to_bits(format, value);
      ASSERT_EQ(again->bits[i], expected) << i;
    }
  }
}

TEST(Npy, ReadsEveryDtype) {
  using Values = std::vector<double>;
  EXPECT_EQ(values_of("|b1", "(3,)", "\0\1\1"s), (Values{0, 1, 1}));
  EXPECT_EQ(values_of("|i1", "(2,)", "\x7F\x80"), (Values{127, -128}));
  EXPECT_EQ(values_of("|u1", "(2,)", "\x7F\x80"), (Values{127, 128}));
  EXPECT_EQ(values_of("<i2", "(2,)", "\x01\x00\xFE\xFF"s), (Values{1, -2}));
  EXPECT_EQ(values_of("<u2", "(2,)", "\x01\x00\xFE\xFF"s), (Values{1, 65534}));
  EXPECT_EQ(values_of("<i4", "(1,)", "\x00\x00\x00\x80"s), (Values{-2147483648.0}));
  EXPECT_EQ(values_of("<u4", "(1,)", "\x00\x00\x00\x80"s), (Values{2147483648.0}));
  EXPECT_EQ(values_of("<i8", "(1,)", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), (Values{-1}));
  EXPECT_EQ(values_of("<u8", "(1,)", "\0\0\0\0\x01\0\0\0"s), (Values{0x1p32}));
  EXPECT_EQ(values_of("<f4", "(1,)", "\x00\x00\xC0\xBF"s), (Values{-1.5}));
  EXPECT_EQ(values_of("<f8", "(1,)", "\0\0\0\0\0\0\xF8\xBF"s), (Values{-1.5}));
}

TEST(Npy, HalvesAreIeeeBinary16) {
  // 1.5, the smallest denormal, -Inf.
  const auto values = values_of("<f2", "(4,)", "\x00\x3E\x01\x00\x00\xFC\x01\x7C"s);
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0], 1.5);
  EXPECT_EQ(values[1], 0x1p-24);
  EXPECT_EQ(values[2], -INFINITY);
  EXPECT_TRUE(std::isnan(values[3]));
}

TEST(Npy, ReadsBigEndian) {
  EXPECT_EQ(values_of(">f4", "(1,)", "\xBF\xC0\0\0"s), std::vector<double>{-1.5});
  EXPECT_EQ(values_of(">u2", "(1,)", "\x12\x34"), std::vector<double>{0x1234});
}

TEST(Npy, FortranOrderIsConverted) {
  // [[1, 2, 3], [4, 5, 6]] column by column.
  const auto file = npy_file_of("|u1", "(2, 3)", "\1\4\2\5\3\6", "True");
  const auto array = parse_npy(file, "a.npy");
  ASSERT_TRUE(array);
  EXPECT_EQ(array->values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(array->raw, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, FortranOrderOfThreeDimensions) {
  // Element (i, j, k) of shape (2, 1, 3) stands at i + 2 * (j + 1 * k).
  const auto file = npy_file_of("|u1", "(2, 1, 3)", "\0\1\2\3\4\5"s, "True");
  EXPECT_EQ(parse_npy(file, "a.npy")->values, (std::vector<double>{0, 2, 4, 1, 3, 5}));
}

TEST(Npy, ReadsAllVersionsAndOtherSpellings) {
  for (const char major : {'\1', '\2', '\3'}) {
    const auto file =
        npy_file("{\"shape\" : ( 2L , ),'fortran_order':False, \"descr\":'|u1'}", "\1\2", major);
    const auto array = parse_npy(file, "a.npy");
    ASSERT_TRUE(array) << to_string(array.error());
    EXPECT_EQ(array->values, (std::vector<double>{1, 2}));
  }
}

TEST(Npy, NumbersWithoutDimensionsAndEmptyArrays) {
  EXPECT_EQ(values_of("|u1", "()", "\7"), std::vector<double>{7});
  EXPECT_EQ(values_of("<f8", "(0,)", ""), std::vector<double>{});
  EXPECT_EQ(values_of("<f8", "(0, 18446744073709551615, 7)", ""), std::vector<double>{});
}

TEST(Npy, FaultsNameTheFileAndTheByte) {
  const Fault fault =
      fault_of(npy_file("{'descr': '<c8', 'fortran_order': False, 'shape': ()}", ""));
  EXPECT_EQ(fault.file, "a.npy");
  EXPECT_EQ(fault.line, 1u);
  // Ten bytes, "{'descr': ", then the dtype.
  EXPECT_EQ(fault.column, 21u);
  EXPECT_EQ(
      to_string(fault),
      "a.npy:1:21: error: byte 20: the dtype is none of b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, "
      "f4, f8; convert the array first, for instance with a.astype('f4')");
}

TEST(Npy, RefusesWhatIsNoNpyFile) {
  EXPECT_NE(fault_of({}).message.find("not a .npy file"), std::string::npos);
  EXPECT_NE(fault_of(to_bytes("PK\3\4")).message.find("not a .npy file"), std::string::npos);
  EXPECT_NE(fault_of(npy_file("{}", "", 4)).message.find("format version 4.0"), std::string::npos);
  auto file = npy_file_of("|u1", "()", "\1");
  file[7] = std::byte{1}; // the minor version
  EXPECT_NE(fault_of(file).message.find("format version 1.1"), std::string::npos);
}

TEST(Npy, RefusesEveryShorterFile) {
  const auto file = npy_file_of("<f4", "(2,)", "\0\0\x80\x3F\0\0\x80\x3F"s);
  ASSERT_TRUE(parse_npy(file, "a.npy"));
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_FALSE(parse_npy(std::span(file).first(size), "a.npy")) << size;
  }
}

TEST(Npy, RefusesShapesThatAreNotTheData) {
  for (const std::string_view shape :
       {"(3,)", "(1,)", "(4294967296, 4294967296)", "(18446744073709551615,)",
        "(99999999999999999999,)", "(-2,)", "(2", "2", "(2,,)"}) {
    EXPECT_EQ(fault_of(npy_file_of("|u1", shape, "\1\2")).kind, FaultKind::BadInput) << shape;
  }
  std::string deep = "(";
  for (std::size_t i = 0; i <= kNpyLargestRank; ++i) deep += "1,";
  EXPECT_NE(fault_of(npy_file_of("|u1", deep + ")", "\1")).message.find("dimensions"),
            std::string::npos);
}

TEST(Npy, RefusesHeadersThatAreNotTheThreeKeys) {
  for (const std::string_view header :
       {"", "{", "{}", "{'descr': '|u1', 'shape': ()}", "{'descr': '|u1', 'descr': '|u1'}",
        "{'other': 1}", "{'descr': '|u1', 'fortran_order': Maybe, 'shape': ()}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", "{'descr: 3",
        "{'descr': '|u1', 'fortran_order': False, 'shape': ()} x",
        "{'descr': '=f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '|f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f1', 'fortran_order': False, 'shape': ()}"}) {
    EXPECT_EQ(fault_of(npy_file(header, "\1")).kind, FaultKind::BadInput) << header;
  }
}

TEST(TensorFromNpy, IntegersMustFit) {
  NpyArray array{.name = "a.npy",
                 .shape = {2, 2},
                 .dtype = {NpyKind::Signed, 8},
                 .values = {0, 32767, -32768, 5},
                 .raw = {}};
  const auto tensor = tensor_from_npy(array, Format::INT16);
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().message,
            "element (1, 0): -32768 is outside the range of int16, -32767 to 32767");
  EXPECT_EQ(tensor.error().file, "a.npy");
  array.values[2] = 0.5;
  EXPECT_FALSE(tensor_from_npy(array, Format::INT16)) << "not whole";
  array.values[2] = -32767;
  EXPECT_EQ(tensor_from_npy(array, Format::INT16)->bits,
            (std::vector<std::uint32_t>{0, 0x7FFF, 0x8001, 5}));
}

TEST(TensorFromNpy, AnArrayWithoutElementsIsNoTile) {
  for (const char* shape : {"(0,)", "(32, 0)", "(0, 32, 32)"}) {
    const auto array = parse_npy(npy_file_of("<f4", shape, ""), "a.npy");
    ASSERT_TRUE(array) << shape;
    const auto tensor = tensor_from_npy(*array, Format::FP32);
    ASSERT_FALSE(tensor) << shape;
    EXPECT_NE(tensor.error().message.find("no elements"), std::string::npos);
    EXPECT_EQ(tensor.error().file, "a.npy");
  }
}

TEST(TensorFromNpy, Binary32IsTakenAsItIs) {
  const auto file = npy_file_of("<f4", "(1,)", "\x01\x00\x80\x7F"s); // a signalling NaN
  EXPECT_EQ(tensor_from_npy(*parse_npy(file, "a.npy"), Format::FP32)->bits,
            std::vector<std::uint32_t>{0x7F80'0001});
}

class NpyFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / ("lanewise_npy_"s + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

TEST_F(NpyFile, IsReplacedAsAWhole) {
  const auto path = folder_ / "out.npy";
  Tensor tensor{.shape = {1}, .bits = {0x3F80'0000}, .format = Format::FP32};
  ASSERT_TRUE(write_npy(path, tensor));
  tensor.bits[0] = 0x4000'0000;
  ASSERT_TRUE(write_npy(path, tensor));
  EXPECT_EQ(read_file(path), npy_bytes(tensor));
  EXPECT_EQ(files_in_folder(), 1u) << "no temporary file is left";
}

TEST_F(NpyFile, ALinkStaysALink) {
  const auto path = folder_ / "out.npy";
  std::ofstream(folder_ / "real.npy") << "old";
  std::filesystem::create_symlink("real.npy", path);
  const Tensor tensor{.shape = {1}, .bits = {0}, .format = Format::FP32};
  ASSERT_TRUE(write_npy(path, tensor));
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  EXPECT_EQ(read_file(folder_ / "real.npy"), npy_bytes(tensor));
}

TEST_F(NpyFile, FaultsNameThePath) {
  const auto missing = folder_ / "none" / "a.npy";
  EXPECT_EQ(read_file(missing).error().file, missing.string());
  EXPECT_EQ(write_file_atomically(missing, {}).error().file, missing.string());
  EXPECT_EQ(read_file(folder_).error().message, "this is a folder");
  EXPECT_EQ(write_file_atomically(folder_, {}).error().message, "this is a folder");
}

TEST_F(NpyFile, DevicesAreWrittenDirectly) {
  ASSERT_TRUE(write_file_atomically("/dev/null", to_bytes("x")));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

} // namespace
} // namespace lanewise::tensors

// Constant registers as vectors, as Grayskull has them; those of later chips are errors where a
// kernel uses them. Included where sfpi_vector.h has what they are made of, in namespace sfpi.
inline constexpr impl_::vConst<vFloat, CREG_IDX_0P692871094> vConst0p6929{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_NEG_1P00683594> vConstNeg1p0068{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_1P442382813> vConst1p4424{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_0P836914063> vConst0p8369{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_NEG_0P5> vConstNeg0p5{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_0P001953125> vConst0p0020{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_NEG_0P67480469> vConstNeg0p6748{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_NEG_0P34472656> vConstNeg0p3447{};
inline constexpr impl_::vConstOfWormhole<vFloat> vConst0p8373{};
inline constexpr impl_::vConstOfWormhole<vFloat> vConstFloatPrgm0{}, vConstFloatPrgm1{},
    vConstFloatPrgm2{};
inline constexpr impl_::vConstOfWormhole<vInt> vConstIntPrgm0{}, vConstIntPrgm1{}, vConstIntPrgm2{};

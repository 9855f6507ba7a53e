// Constant registers as vectors, as chips have them from Wormhole on. Included where sfpi_vector.h
// has what they are made of, in namespace sfpi.
inline constexpr impl_::vConst<vFloat, CREG_IDX_0P837300003> vConst0p8373{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_PRGM1> vConstFloatPrgm0{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_PRGM2> vConstFloatPrgm1{};
inline constexpr impl_::vConst<vFloat, CREG_IDX_PRGM3> vConstFloatPrgm2{};
inline constexpr impl_::vConst<vInt, CREG_IDX_PRGM1> vConstIntPrgm0{};
inline constexpr impl_::vConst<vInt, CREG_IDX_PRGM2> vConstIntPrgm1{};
inline constexpr impl_::vConst<vInt, CREG_IDX_PRGM3> vConstIntPrgm2{};

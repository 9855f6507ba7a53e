// Boost.Math without exceptions: what has no value is a NaN or infinite.
#pragma once

#include <boost/math/policies/policy.hpp>

namespace lanewise::references {

namespace policies = boost::math::policies;
using QuietPolicy = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>,
    policies::underflow_error<policies::ignore_error>,
    policies::evaluation_error<policies::ignore_error>,
    policies::denorm_error<policies::ignore_error>, policies::promote_double<false>>;

} // namespace lanewise::references

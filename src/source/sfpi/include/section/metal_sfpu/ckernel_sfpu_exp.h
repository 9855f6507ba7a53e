// The exp of tt-metal, which tests of tt-llk include and leave to LLK's own.
#pragma once

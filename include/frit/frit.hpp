// All of the public C++ API.
#pragma once

#include "frit/dtype.hpp"
#include "frit/engine.hpp"
#include "frit/error.hpp"
#include "frit/model.hpp"
#include "frit/version.hpp"

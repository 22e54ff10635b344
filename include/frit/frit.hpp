// All of the public C++ API.
#pragma once

#include "frit/array.hpp"
#include "frit/composite.hpp"
#include "frit/control.hpp"
#include "frit/dtype.hpp"
#include "frit/effects.hpp"
#include "frit/engine.hpp"
#include "frit/error.hpp"
#include "frit/functions.hpp"
#include "frit/linear.hpp"
#include "frit/model.hpp"
#include "frit/reduce.hpp"
#include "frit/stages.hpp"
#include "frit/traced.hpp"
#include "frit/version.hpp"
#include "frit/vmap.hpp"

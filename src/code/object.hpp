// Relocatable objects (ELF) as one image.
//
// NOTE: not LLVM's RuntimeDyld, which links for the addresses at which it has put the sections: an image has to run anywhere, and
// kernels need little. They are position-independent code that calls nothing but itself and writes no data of its own, so that all
// relocations are distances within one object. Anything else is refused.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "code/image.hpp"

namespace frit::code {

// The code and the read-only data of all objects; unwind tables and what is not loaded are left out. `functions`: the names
// of the entries, in order, each defined once. Errors: internal, where an object is not one or needs more than this.
OwnedImage link_objects(std::span<const std::span<const std::byte>> objects, std::span<const std::string> functions);

}  // namespace frit::code

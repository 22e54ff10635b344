# frit_room(name [SMALL_CALLS] [LINKS room...] [LIBRARIES target...]): one static library from the .cpp files of the current
# folder. SMALL_CALLS: what calls on small arrays go through.
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)

# What every source is compiled with; kernels have this alone, everything else the sanitizers too.
add_library(frit_kernel_options INTERFACE)
target_compile_options(frit_kernel_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>  # not part of -Wconversion in GCC
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC 12 reports std::string concatenation that cannot overlap (PR 105651)
  -ffp-contract=off)                     # fma only where a template says so (docs/numerics.md)
target_include_directories(frit_kernel_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(frit_kernel_options INTERFACE FRIT_VERSION="${PROJECT_VERSION}")

add_library(frit_options INTERFACE)
target_link_libraries(frit_options INTERFACE frit_kernel_options)
if(FRIT_SANITIZE)
  # GCC 12 reports parts of std::regex and std::function as uninitialised once they are instrumented.
  target_compile_options(frit_options INTERFACE -fsanitize=${FRIT_SANITIZE} -fno-sanitize-recover=all
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
                         -fno-omit-frame-pointer -g1)
  target_link_options(frit_options INTERFACE -fsanitize=${FRIT_SANITIZE})
endif()

function(frit_room name)
  cmake_parse_arguments(ROOM "SMALL_CALLS" "" "LINKS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(frit_${name} STATIC ${sources})
  target_link_libraries(frit_${name} PUBLIC frit_options fmt::fmt Threads::Threads ${ROOM_LIBRARIES})
  # Structures are cleared and copied by stores, where GCC's choice for CPUs of any age is an instruction that needs 30 cycles to
  # start. The instructions stay those of every CPU.
  if(ROOM_SMALL_CALLS AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(frit_${name} PRIVATE -mtune=skylake)
  endif()
  foreach(room IN LISTS ROOM_LINKS)
    target_link_libraries(frit_${name} PUBLIC frit_${room})
  endforeach()
endfunction()

# frit_isa_objects(target SOURCES file...): compiles the sources once for each ISA of this architecture, with FRIT_ISA set
# to the name of the variant; the objects of all variants go into `target`. -DFRIT_ISAS=v3 builds some of them: the best that the
# CPU runs is chosen at start (src/exec/kernel_table.cpp).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(isas v2 v3 v4)
  set(FRIT_ISA_FLAGS_v2 -march=x86-64-v2)
  set(FRIT_ISA_FLAGS_v3 -march=x86-64-v3)
  set(FRIT_ISA_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(isas a64)
  set(FRIT_ISA_FLAGS_a64 -march=armv8-a)
else()
  message(FATAL_ERROR "frit has kernels for x86-64 and AArch64, not for ${CMAKE_SYSTEM_PROCESSOR}")
endif()
set(FRIT_ISAS "${isas}" CACHE STRING "variants of the kernels to build: ${isas}")
foreach(isa IN LISTS FRIT_ISAS)
  if(NOT isa IN_LIST isas)
    message(FATAL_ERROR "FRIT_ISAS names '${isa}'; this architecture has: ${isas}")
  endif()
endforeach()

function(frit_isa_objects target)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  foreach(isa IN LISTS FRIT_ISAS)
    add_library(${target}_${isa} OBJECT ${ARG_SOURCES})
    # No sanitizers: straight-line code whose memory accesses the guard-page tests cover takes twenty times as long to compile
    # with them.
    target_link_libraries(${target}_${isa} PRIVATE frit_kernel_options)
    target_compile_definitions(${target}_${isa} PRIVATE FRIT_ISA=${isa})
    # -fno-math-errno and -fno-trapping-math change no value: kernels read neither errno nor flags.
    target_compile_options(${target}_${isa} PRIVATE ${FRIT_ISA_FLAGS_${isa}} -fno-math-errno -fno-trapping-math)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${isa}>)
    string(TOUPPER ${isa} upper)
    target_compile_definitions(${target} PUBLIC FRIT_HAVE_${upper}=1)
  endforeach()
endfunction()

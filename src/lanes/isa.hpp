// The instruction set a kernel source is compiled for, read from the compiler's own feature macros.
//
// NOTE: one kernel source is compiled once per ISA, so everything below lives in an inline namespace named by FRIT_ISA:
// objects of two variants can be linked into one program without one variant's inline function replacing the other's.
// For the same reason lanes/ and math/ include no standard header that defines functions.
#pragma once

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && defined(__AVX512BW__)
#define FRIT_LANES_AVX512 1
#elif defined(__AVX2__) && defined(__FMA__)
#define FRIT_LANES_AVX2 1
#elif defined(__SSE4_2__)
#define FRIT_LANES_SSE4 1
#elif defined(__aarch64__)
#define FRIT_LANES_NEON 1
#else
#define FRIT_LANES_PLAIN 1
#endif

#ifndef FRIT_ISA
#if defined(FRIT_LANES_AVX512)
#define FRIT_ISA v4
#elif defined(FRIT_LANES_AVX2)
#define FRIT_ISA v3
#elif defined(FRIT_LANES_SSE4)
#define FRIT_ISA v2
#elif defined(FRIT_LANES_NEON)
#define FRIT_ISA a64
#else
#define FRIT_ISA plain
#endif
#endif

// Always inlined, so that no lane function becomes a symbol and a kernel is one straight line of code.
#define FRIT_INLINE inline __attribute__((always_inline))
// The same for a lambda, written after its parameter list: a lambda that is called out of line would take the address of
// what it captures and so force hot values into memory.
#define FRIT_INLINE_LAMBDA __attribute__((always_inline))

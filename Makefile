# `make demo` and `make test` are all that a user needs; `make help` names the others.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := demo

JOBS ?= $(shell nproc)
# A folder of further models, each as examples/models has them. The tests and the demonstration use it where there is one.
FRIT_MODELS ?= $(abspath $(wildcard ../shared/models))
export FRIT_MODELS
export JOBS

# The demonstration's model: a large one where it is at hand, else one of the examples.
MODEL ?= $(firstword $(wildcard $(FRIT_MODELS:%=%/lc2pkpi)) examples/models/jpsi-2f0)
# Compiled mode exists where the compiler module was built.
MODES ?= eager,graph$$(test ! -e build/lib/frit/frit_llvm.so || echo ,compiled)
EVENTS ?= 20000,200000

.PHONY: help demo test asan tsan fuzz mutation accuracy nightly bench bench-arrays bench-functions instruction-gate cross lint format-check tidy format install program clean

help:
	@echo "make demo      install what is missing, build build/bin/frit, run a model in every mode"
	@echo "make test      build and run all tests"
	@echo "make asan      the tests with the address and undefined-behaviour sanitizers"
	@echo "make tsan      the tests of threads with the thread sanitizer"
	@echo "make fuzz      every fuzz target for FUZZ_SECONDS=60; needs clang"
	@echo "make mutation  MUTANTS=2 changes to each op and math template, and whether a test fails"
	@echo "make accuracy  the errors of the math library; every f32 number and 10^8 f64 ones with FRIT_NIGHTLY=1; ACCURACY_OPTIONS"
	@echo "make nightly   the tests at their long settings"
	@echo "make bench     time frit beside hand-written kernels, a short run; BENCH_OPTIONS are those of bench/compare.py"
	@echo "make bench-arrays   functions over arrays beside hand-written kernels, in every mode; ARRAYS_OPTIONS as above"
	@echo "make bench-functions   time the real functions beside SLEEF and libmvec; FUNCTIONS_OPTIONS are those of bench/functions.py"
	@echo "make instruction-gate   instruction counts against the stored ones; RENEW=1 stores the new ones"
	@echo "make cross     build the AArch64 kernels and compare their bits with this machine's"
	@echo "make lint      clang-format (check only) and clang-tidy; FILES=... for some files"
	@echo "make format    clang-format, in place"
	@echo "make clean     remove build/"

install:
	@tools/install.sh

program: install
	@cmake --preset release >/dev/null
	@cmake --build build -j $(JOBS) --target frit $$(grep -q '^build frit_llvm:' build/build.ninja && echo frit_llvm)

demo: program
	@printf '\n%s, every mode:\n' $(MODEL)
	@build/bin/frit bench $(MODEL)/model.srepr --data $(MODEL)/data.npz --parameters $(MODEL)/parameters.json \
	  --modes $(MODES) --dtypes f64,f32 --sizes $(EVENTS)

test: install
	@cmake --preset release >/dev/null
	@cmake --build build -j $(JOBS)
	@tools/run_tests.sh build $(TEST_OPTIONS)

# The tests of the sanitizers, by intent. Accuracy gains nothing from them, and takes long.
ASAN_INTENTS ?= unit error modes random surroundings integration fuzz
TSAN_INTENTS ?= modes integration
tests_of = $(patsubst %.cpp,%,$(notdir $(wildcard $(1:%=tests/%/*_test.cpp) $(1:%=tests/%/*_fuzz.cpp))))
empty :=
labels_of = -L '^($(subst $(empty) $(empty),|,$(strip $(1))))$$'

# ASAN_TESTS names single tests instead.
ASAN_TESTS ?= $(call tests_of,$(ASAN_INTENTS))
named = -R '/($(subst $(empty) $(empty),|,$(strip $(1))))$$'

asan: install
	@cmake --preset asan >/dev/null
	@cmake --build build/asan -j $(JOBS) --target frit $(ASAN_TESTS)
	@tools/run_tests.sh build/asan $(call named,$(ASAN_TESTS)) $(TEST_OPTIONS)

# The thread sanitizer has fixed places for its shadow, which mappings at random addresses may hit.
fixed_addresses := $(shell setarch -R true 2>/dev/null && echo setarch -R)

tsan: install
	@cmake --preset tsan >/dev/null
	@cmake --build build/tsan -j $(JOBS) --target frit $(call tests_of,$(TSAN_INTENTS))
	@$(fixed_addresses) tools/run_tests.sh build/tsan $(call labels_of,$(TSAN_INTENTS)) $(TEST_OPTIONS)

# FUZZ_TARGETS names some of them. What is found goes to build/fuzz/found, the inputs that grew to build/fuzz/corpus.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= $(patsubst tests/fuzz/%_fuzz.cpp,%,$(wildcard tests/fuzz/*_fuzz.cpp))

fuzz:
	@tools/install.sh --with-fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build build/fuzz -j $(JOBS) --target $(FUZZ_TARGETS:%=%_fuzz)
	@tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

MUTANTS ?= 2

mutation: install
	@tools/mutation/mutate.py --mutants $(MUTANTS) --jobs $(JOBS) $(MUTATION_OPTIONS)

# Options of build/tests/math_accuracy, for example --ops exp,log --renew docs/numerics.md.
accuracy: install
	@cmake --preset release >/dev/null
	@cmake --build build -j $(JOBS) --target math_accuracy
	@build/tests/math_accuracy --threads $(JOBS) $(ACCURACY_OPTIONS)

nightly: export FRIT_NIGHTLY := 1
nightly: FUZZ_SECONDS = 1800
nightly: test asan tsan cross fuzz mutation instruction-gate accuracy

# Generated kernels of the models, where they are at hand.
MODELS_YARDSTICK ?= $(abspath $(wildcard ../shared/yardstick))
BENCH_OPTIONS ?= --rounds 7 --min-time 0.005 --events 20000 $(MODELS_YARDSTICK:%=--models-yardstick %)

# A build folder of its own, so that the others stay without the kernels; the compiler cache shares the objects.
build_bench = tools/install.sh --with-bench && cmake --preset release -B build/bench -DFRIT_TESTS=OFF -DFRIT_BENCH=ON >/dev/null \
  && cmake --build build/bench -j $(JOBS) --target

bench:
	@$(build_bench) yardstick compare_driver
	@bench/compare.py --build build/bench $(BENCH_OPTIONS)

# The tables of docs/benchmarks.md, on a quiet machine.
bench-arrays:
	@$(build_bench) yardstick compare_driver
	@bench/compare.py --build build/bench --arrays $(ARRAYS_OPTIONS)

# For the pages: FUNCTIONS_OPTIONS='--page docs/benchmarks.md --plot docs/functions.svg'.
bench-functions:
	@$(build_bench) functions
	@bench/functions.py --build build/bench $(FUNCTIONS_OPTIONS)

instruction-gate:
	@$(build_bench) instruction_gate_driver
	@tools/instruction_gate/gate.py --build build/bench $(if $(RENEW),--renew)

cross:
	@tools/install.sh --with-cross
	@tools/cross.sh build/cross

# All of the project's sources but generated tables, or those that FILES names.
FILES ?= $(shell git ls-files '*.cpp' '*.hpp' ':!src/math/generated')

lint: format-check tidy

format-check:
	@tools/install.sh --with-lint
	@clang-format --dry-run -Werror --ferror-limit=20 $(FILES)

# NOTE: clang-tidy reads headers through the sources that include them, as build/compile_commands.json compiles these. What
# only `make bench` builds is not among them.
tidy:
	@tools/install.sh --with-lint
	@cmake --preset release >/dev/null
	@printf '%s\n' $(filter-out bench/% tools/instruction_gate/%,$(filter %.cpp,$(FILES))) | xargs -P $(JOBS) -n 1 clang-tidy -p build --quiet

format:
	@tools/install.sh --with-lint
	@clang-format -i $(FILES)

clean:
	rm -rf build

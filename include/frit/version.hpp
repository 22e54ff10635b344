// The version of the library. docs/versions.md says what a change of each number means.
#pragma once

#define FRIT_VERSION_MAJOR 0
#define FRIT_VERSION_MINOR 1
#define FRIT_VERSION_PATCH 0

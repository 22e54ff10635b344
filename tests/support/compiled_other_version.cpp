// A compiler module of another version of the interface: its entry refuses. Without FRIT_ENTRY a module with no entry.
#ifdef FRIT_ENTRY
extern "C" __attribute__((visibility("default"))) void* frit_make_compiler(int) { return nullptr; }
#endif

#ifndef CPLAT_SQLITE_SHIM_H
#define CPLAT_SQLITE_SHIM_H

#include <sqlite3.h>

/// `SQLITE_TRANSIENT`, a cast macro that Swift does not import: SQLite copies the bytes it is given.
static inline sqlite3_destructor_type plat_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Has SQLite not count its allocations, for which it takes a lock at each.
///
/// It does nothing in a process that uses SQLite already.
static inline void plat_sqlite_omit_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif

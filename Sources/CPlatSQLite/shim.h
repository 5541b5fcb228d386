#ifndef CPLAT_SQLITE_SHIM_H
#define CPLAT_SQLITE_SHIM_H

#include <sqlite3.h>

/// `SQLITE_TRANSIENT`, a cast macro that Swift does not import: SQLite copies the bytes it is given.
static inline sqlite3_destructor_type plat_sqlite_transient(void) { return SQLITE_TRANSIENT; }

#endif

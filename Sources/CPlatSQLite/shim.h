#ifndef CPLAT_SQLITE_SHIM_H
#define CPLAT_SQLITE_SHIM_H

#include <sqlite3.h>
#include <stdlib.h>

/// `SQLITE_TRANSIENT`, a cast macro that Swift does not import: SQLite copies the bytes it is given.
static inline sqlite3_destructor_type plat_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Has SQLite not count its allocations, for which it takes a lock at each.
///
/// It does nothing in a process that uses SQLite already.
static inline void plat_sqlite_omit_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// The function `plat_keep(...)` of SQL: keeps its arguments as integers where its data is, and is NULL.
static inline void plat_sqlite_keep(sqlite3_context *context, int count, sqlite3_value **values) {
  sqlite3_int64 *kept = (sqlite3_int64 *)sqlite3_user_data(context);
  for (int index = 0; index < count; index++) kept[index] = sqlite3_value_int64(values[index]);
}

/// Adds `plat_keep` of `count` arguments to a connection, which then owns where they are kept.
///
/// A row with many integers is read in less time so than column by column, each of which is a call with
/// checks of its own. Returns NULL if there is no memory.
static inline sqlite3_int64 *plat_sqlite_add_keep(sqlite3 *connection, int count) {
  void *kept = calloc((size_t)count, sizeof(sqlite3_int64));
  int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
  if (!kept || sqlite3_create_function_v2(connection, "plat_keep", count, flags, kept,
                                          plat_sqlite_keep, NULL, NULL, free) != SQLITE_OK) {
    return NULL;
  }
  return (sqlite3_int64 *)kept;
}

#endif

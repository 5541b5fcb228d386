/// The tables of a file of snapshots; the article *Schema* says what they mean, with an example.
internal enum Schema {
  /// What marks a SQLite file as ours, `PRAGMA application_id`.
  ///
  /// It is "plat" in ASCII.
  internal static let applicationID: Int64 = 0x706c_6174

  /// The version that this code reads and writes, `PRAGMA user_version`.
  internal static let version = migrations.count

  /// The steps from each version to the next; the first makes an empty database into version 1.
  ///
  /// A step that was released is never changed: files of its version are on disks.
  internal static let migrations = [
    Migration(to: 1, sql: versionOne), Migration(to: 2, sql: versionTwo),
  ]

  /// What must be set before the first table.
  internal static let pragmasOfNewFile = "PRAGMA auto_vacuum = INCREMENTAL"

  private static let versionOne = """
    CREATE TABLE snapshot(
      id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: rows of dirv refer to it
      started_at INTEGER NOT NULL,           -- ns since 1970
      finished_at INTEGER NOT NULL,
      level TEXT NOT NULL,                   -- full, verified, fast
      options TEXT NOT NULL,                 -- fingerprint: another one, another set of entries
      host TEXT NOT NULL,
      complete INTEGER NOT NULL,
      size INTEGER NOT NULL, alloc INTEGER NOT NULL,
      files INTEGER NOT NULL, dirs INTEGER NOT NULL,
      links INTEGER NOT NULL, others INTEGER NOT NULL,
      issues INTEGER NOT NULL,
      unverified_files INTEGER NOT NULL, unverified_size INTEGER NOT NULL,
      digest INTEGER NOT NULL,               -- over all rows that make up the snapshot
      checksum INTEGER NOT NULL,             -- over this row, but label and pinned
      label TEXT, pinned INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE fs(
      id INTEGER PRIMARY KEY, type TEXT NOT NULL, uuid TEXT NOT NULL, device INTEGER NOT NULL
    );
    CREATE TABLE attr(
      id INTEGER PRIMARY KEY, mode INTEGER NOT NULL, uid INTEGER NOT NULL, gid INTEGER NOT NULL
    );
    CREATE TABLE dir(
      id INTEGER PRIMARY KEY,                -- above that of the parent
      parent INTEGER NOT NULL,               -- 0: the root, whose name is its absolute path
      name TEXT NOT NULL,                    -- for display: always valid UTF-8
      raw BLOB NOT NULL DEFAULT x''          -- the exact bytes, where name is not
    );
    CREATE UNIQUE INDEX dir_name ON dir(parent, name, raw);
    CREATE TABLE content(
      id INTEGER PRIMARY KEY,
      codec INTEGER NOT NULL,                -- 0: data is the listing itself
      data BLOB NOT NULL
    );
    CREATE TABLE dirv(                       -- a directory in the snapshots since <= id < until
      dir INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER,
      size INTEGER NOT NULL, alloc INTEGER NOT NULL,          -- of the subtree, as are the counts
      files INTEGER NOT NULL, dirs INTEGER NOT NULL,
      links INTEGER NOT NULL, others INTEGER NOT NULL,
      own_size INTEGER NOT NULL, own_alloc INTEGER NOT NULL,  -- of the listing
      self_alloc INTEGER NOT NULL,                            -- of the directory itself
      max_size INTEGER NOT NULL, max_alloc INTEGER NOT NULL,  -- of the largest file of the subtree
      newest INTEGER NOT NULL,                                -- s since 1970, in the subtree
      issues INTEGER NOT NULL,                                -- in the subtree
      mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, ino INTEGER NOT NULL,
      fs INTEGER NOT NULL, attr INTEGER NOT NULL, flags INTEGER NOT NULL,
      listing_crc INTEGER NOT NULL,          -- the CRC-32C at the end of the listing; 0: no entries
      notes INTEGER NOT NULL,                -- a hash of the rows of issue and exclusion; 0: none
      elsewhere BLOB,                        -- ordinals of hard links that are counted elsewhere
      checksum INTEGER NOT NULL,             -- over this row and the name
      content INTEGER,                       -- NULL: no entries
      PRIMARY KEY(dir, since)
    ) WITHOUT ROWID;
    CREATE TABLE issue(
      dir INTEGER NOT NULL, since INTEGER NOT NULL, n INTEGER NOT NULL,
      name BLOB, call TEXT NOT NULL, errno INTEGER NOT NULL, PRIMARY KEY(dir, since, n)
    ) WITHOUT ROWID;
    CREATE TABLE exclusion(
      dir INTEGER NOT NULL, since INTEGER NOT NULL, n INTEGER NOT NULL,
      name BLOB NOT NULL, kind INTEGER NOT NULL, reason INTEGER NOT NULL,
      PRIMARY KEY(dir, since, n)
    ) WITHOUT ROWID;
    CREATE VIEW v_dir AS
      WITH RECURSIVE path(id, path) AS (
        SELECT id, name FROM dir WHERE parent = 0
        UNION ALL
        SELECT d.id, CASE p.path WHEN '/' THEN '' ELSE p.path END || '/' || d.name
        FROM path p JOIN dir d ON d.parent = p.id
      )
      SELECT d.id, p.path, d.name, d.raw, v.size, v.alloc, v.files, v.dirs, v.links, v.others,
        v.own_size, v.own_alloc, v.issues, v.newest, v.mtime_ns, v.since AS changed_in
      FROM path p JOIN dir d ON d.id = p.id JOIN dirv v ON v.dir = p.id WHERE v.until IS NULL;
    CREATE VIEW v_growth AS
      SELECT a.dir, a.since AS snapshot, a.alloc, a.alloc - b.alloc AS alloc_growth,
        a.size, a.size - b.size AS size_growth
      FROM dirv a JOIN dirv b ON b.dir = a.dir AND b.until = a.since;
    CREATE VIEW v_trust AS
      SELECT v.dir, f.type AS fs_type, f.uuid AS fs_uuid, v.ino, v.mtime_ns, v.ctime_ns,
        v.flags & 3 OR max(v.mtime_ns, v.ctime_ns) >= s.started_at - 3000000000 AS racy
      FROM dirv v JOIN fs f ON f.id = v.fs JOIN snapshot s ON s.id = (SELECT max(id) FROM snapshot)
      WHERE v.until IS NULL;
    """

  private static let versionTwo = """
    ALTER TABLE snapshot ADD COLUMN unverified_scans INTEGER;
    ALTER TABLE snapshot ADD COLUMN sample_files INTEGER;
    ALTER TABLE snapshot ADD COLUMN sample_changed INTEGER;
    ALTER TABLE snapshot ADD COLUMN sample_growth INTEGER;
    ALTER TABLE snapshot ADD COLUMN total_space INTEGER;
    ALTER TABLE snapshot ADD COLUMN free_space INTEGER;
    CREATE TABLE dictionary(                 -- at most one row: what content with codec 2 begins after
      id INTEGER PRIMARY KEY, data BLOB NOT NULL, crc INTEGER NOT NULL
    );
    CREATE TABLE layout(                     -- how pictures were laid out; may be emptied
      width INTEGER NOT NULL, height INTEGER NOT NULL, options TEXT NOT NULL,
      snapshot INTEGER NOT NULL, crc INTEGER NOT NULL,
      codec INTEGER NOT NULL,                -- 0: data is what is remembered, 2: it is packed
      data BLOB NOT NULL,
      PRIMARY KEY(width, height, options, snapshot)
    ) WITHOUT ROWID;
    DROP VIEW v_dir;
    DROP VIEW v_growth;
    DROP VIEW v_trust;
    ALTER TABLE content RENAME TO content_1;
    ALTER TABLE dirv RENAME TO dirv_1;
    ALTER TABLE issue RENAME TO issue_1;
    ALTER TABLE exclusion RENAME TO exclusion_1;
    CREATE TABLE content(                    -- a directory without what is below it
      id INTEGER PRIMARY KEY,
      own_size INTEGER NOT NULL, own_alloc INTEGER NOT NULL,  -- of the listing
      mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, ino INTEGER NOT NULL,
      fs INTEGER NOT NULL, flags INTEGER NOT NULL,
      rest BLOB NOT NULL,                    -- packed: what no query asks for
      codec INTEGER NOT NULL,                -- 0: data is the listing, 1: the id of the row that has it
      data BLOB NOT NULL
    );
    CREATE TABLE dirv(                       -- a directory in the snapshots since <= id < until
      dir INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER,
      size INTEGER NOT NULL, alloc INTEGER NOT NULL,          -- of the subtree, as is all but content
      files INTEGER NOT NULL, dirs INTEGER NOT NULL,
      links INTEGER NOT NULL, others INTEGER NOT NULL,
      newest INTEGER NOT NULL,                                -- s since 1970
      issues INTEGER NOT NULL,
      rest BLOB NOT NULL,                    -- packed: a checksum, and what no query asks for
      content INTEGER NOT NULL,
      PRIMARY KEY(dir, since)
    ) WITHOUT ROWID;
    CREATE TABLE issue(
      content INTEGER NOT NULL, n INTEGER NOT NULL,
      name BLOB, call TEXT NOT NULL, errno INTEGER NOT NULL, PRIMARY KEY(content, n)
    ) WITHOUT ROWID;
    CREATE TABLE exclusion(
      content INTEGER NOT NULL, n INTEGER NOT NULL,
      name BLOB NOT NULL, kind INTEGER NOT NULL, reason INTEGER NOT NULL, PRIMARY KEY(content, n)
    ) WITHOUT ROWID;
    CREATE TABLE change(                     -- what has a state that begins or ends with a snapshot
      snapshot INTEGER NOT NULL, dir INTEGER NOT NULL,        -- but the first
      PRIMARY KEY(snapshot, dir)
    ) WITHOUT ROWID;
    INSERT INTO change
      SELECT since, dir FROM dirv_1 WHERE since > (SELECT min(id) FROM snapshot)
      UNION SELECT until, dir FROM dirv_1 WHERE until IS NOT NULL;
    CREATE TABLE state(id INTEGER PRIMARY KEY, dir INTEGER, since INTEGER, content INTEGER);
    INSERT INTO state(dir, since, content)
      SELECT dir, since, content FROM dirv_1 ORDER BY dir, since;
    INSERT INTO content
      SELECT s.id, v.own_size, v.own_alloc, v.mtime_ns, v.ctime_ns, v.ino, v.fs, v.flags,
        plat_pack_own(v.listing_crc, v.self_alloc, v.attr, v.notes, v.elsewhere),
        CASE WHEN f.id < s.id THEN 1 ELSE coalesce(c.codec, 0) END,
        CASE WHEN f.id < s.id THEN f.id ELSE coalesce(c.data, x'') END
      FROM state s CROSS JOIN dirv_1 v ON v.dir = s.dir AND v.since = s.since
        LEFT JOIN content_1 c ON c.id = s.content
        LEFT JOIN (SELECT content, min(id) AS id FROM state GROUP BY content) f
          ON f.content = s.content
      ORDER BY s.id;
    INSERT INTO dirv
      SELECT v.dir, v.since, v.until, v.size, v.alloc, v.files, v.dirs, v.links, v.others,
        v.newest, v.issues, plat_pack_subtree(v.checksum, v.max_size, v.max_alloc), s.id
      FROM state s CROSS JOIN dirv_1 v ON v.dir = s.dir AND v.since = s.since ORDER BY s.id;
    INSERT INTO issue SELECT s.id, i.n, i.name, i.call, i.errno
      FROM issue_1 i JOIN state s ON s.dir = i.dir AND s.since = i.since;
    INSERT INTO exclusion SELECT s.id, e.n, e.name, e.kind, e.reason
      FROM exclusion_1 e JOIN state s ON s.dir = e.dir AND s.since = e.since;
    DROP TABLE state;
    DROP TABLE content_1;
    DROP TABLE dirv_1;
    DROP TABLE issue_1;
    DROP TABLE exclusion_1;
    CREATE VIEW v_dir AS
      WITH RECURSIVE path(id, path) AS (
        SELECT id, name FROM dir WHERE parent = 0
        UNION ALL
        SELECT d.id, CASE p.path WHEN '/' THEN '' ELSE p.path END || '/' || d.name
        FROM path p JOIN dir d ON d.parent = p.id
      )
      SELECT d.id, p.path, d.name, d.raw, v.size, v.alloc, v.files, v.dirs, v.links, v.others,
        c.own_size, c.own_alloc, v.issues, v.newest, c.mtime_ns,
        (SELECT min(id) FROM snapshot WHERE id >= v.since) AS changed_in
      FROM path p JOIN dir d ON d.id = p.id JOIN dirv v ON v.dir = p.id
        JOIN content c ON c.id = v.content
      WHERE v.until IS NULL;
    CREATE VIEW v_growth AS                  -- snapshots between two rows may have been deleted
      SELECT a.dir, (SELECT min(id) FROM snapshot WHERE id >= a.since) AS snapshot,
        a.alloc, a.alloc - b.alloc AS alloc_growth, a.size, a.size - b.size AS size_growth
      FROM dirv a JOIN dirv b ON b.dir = a.dir
        AND b.since = (SELECT max(since) FROM dirv WHERE dir = a.dir AND since < a.since)
      WHERE NOT EXISTS(SELECT 1 FROM snapshot WHERE id >= b.until AND id < a.since);
    CREATE VIEW v_trust AS
      SELECT v.dir, f.type AS fs_type, f.uuid AS fs_uuid, c.ino, c.mtime_ns, c.ctime_ns,
        c.flags & 3 OR c.mtime_ns >= s.started_at - 3000000000
          OR c.ctime_ns >= s.started_at - 3000000000 AS racy
      FROM dirv v JOIN content c ON c.id = v.content JOIN fs f ON f.id = c.fs
        JOIN snapshot s ON s.id = (SELECT max(id) FROM snapshot)
      WHERE v.until IS NULL;
    """
}

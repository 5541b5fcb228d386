import Foundation
import Glibc
import PlatCommands
import PlatTestSupport
import Testing

/// What becomes of a command when the file of snapshots is not as it should be.
struct DatabaseTests {
  static let items = ScanCommandTests.items

  struct Case: CustomTestStringConvertible {
    /// The script of bash that makes the file `db`.
    var script: String
    var message: String
    var testDescription: String
  }

  static let refused = [
    Case(
      script: "echo this is no database, just text >db",
      message: "not a file of snapshots (move it away, or name another with --database)",
      testDescription: "text"
    ),
    Case(
      script: "sqlite3 db 'CREATE TABLE precious(x); PRAGMA user_version = 77'",
      message: "the database of another program (name another file with --database)",
      testDescription: "another program's"
    ),
    Case(
      script: "plat scan -q --database=db tree; sqlite3 db 'PRAGMA user_version = 999'",
      message: "written by a newer version of plat (schema 999, known: 2)",
      testDescription: "of a newer version"
    ),
    Case(
      script: "mkdir other; plat scan -q --database=db other",
      message: "holds snapshots of $PWD/other (name another file with --database)",
      testDescription: "of another root"
    ),
  ]

  static let half = Case(
    script: """
      plat scan -q --database=db tree; sqlite3 db 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
      truncate -s $(($(stat -c %s db) / 2)) db
      """,
    message: "damaged: database disk image is malformed (move it away and scan again)",
    testDescription: "half"
  )

  @Test(arguments: refused)
  func `A file that is no database of this root is refused and left as it is`(
    example: Case
  ) async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        \(example.script)
        sqlite3 db .dump >before 2>&1
        plat scan -q --database=db tree; echo $?
        sqlite3 db .dump >after 2>&1
        cmp before after && echo same
        """
      )
      #expect(outcome.text == "4\nsame\n")
      let message = example.message.replacing("$PWD", with: box.directory)
      #expect(outcome.errors == "plat: db: \(message)\n")
    }
  }

  @Test(arguments: refused.dropLast() + [half])
  func `A query answers nothing from a file that cannot be read`(example: Case) async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell("\(example.script); plat query list --database=db tree")
      #expect(outcome.status == 4)
      #expect(outcome.text == "")
      #expect(outcome.errors == "plat: db: \(example.message)\n")
    }
  }

  @Test(arguments: [
    "sqlite3 db 'PRAGMA wal_checkpoint(TRUNCATE)' >db.log; truncate -s $(($(stat -c %s db) / 2)) db",
    // The first page of the tables, but not what says whose file it is.
    "dd if=/dev/zero of=db bs=1 seek=108 count=3000 conv=notrunc status=none",
    // A column that every snapshot needs has another name.
    "sqlite3 db 'ALTER TABLE content RENAME COLUMN rest TO most'",
  ])
  func `A damaged database is put aside by a scan, and keeps its bytes`(script: String) async throws
  {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        plat scan -q --database=db tree
        \(script)
        for i in 1 2; do
          cp db before
          plat scan -q --database=db tree; echo $?
          cmp before db.corrupt-*-??$([[ $i = 1 ]] || echo .2) && echo kept
          plat snapshots list -q --json --database=db tree | grep -c '"id":1,'
          cp before db
        done
        """
      )
      #expect(outcome.text == "0\nkept\n1\n0\nkept\n1\n")
      let line = #/plat: db: was damaged; it is now db\.corrupt-\d{4}-\d\d-\d\d(\.2)?\n/#
      let lines = outcome.errors.split(separator: "\n").map { $0 + "\n" }
      #expect(lines.count == 2)
      for shown in lines { #expect(shown.wholeMatch(of: line) != nil, "\(shown)") }
    }
  }

  @Test func `What is no database is put aside where only snapshots are kept`() async throws {
    try await withSandbox(Self.items) { box in
      #expect(await box.run(["scan", "-q", box.tree]).status == 0)
      let outcome = try box.shell(
        """
        db=$(plat snapshots path tree)
        rm "$db"*
        echo nonsense >"$db"
        plat scan -q tree; echo $?
        cat "$db".corrupt-*; plat query list -q0 -n1 tree
        """
      )
      #expect(outcome.text == "0\nnonsense\nlib\u{0}")
      #expect(outcome.errors.contains(": was damaged; it is now "))
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `A damaged database of a newer version is refused, and left as it is`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        plat scan -q --database=db tree
        sqlite3 db 'PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
        truncate -s 8192 db
        cp db before
        plat scan -q --database=db tree; echo $?
        cmp before db && ls db*
        """
      )
      #expect(outcome.text == "4\ndb\n")
    }
  }

  @Test func `An empty file becomes a database, and answers nothing before that`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        : >db
        plat query list --database=db tree; echo $?
        plat scan -q --database=db tree; echo $?
        plat query list -q0 -n1 --database=db tree; echo $?
        """
      )
      #expect(outcome.text == "3\n0\nlib\u{0}0\n")
      #expect(outcome.errors == "plat: db: holds no snapshot (scan the directory first)\n")
    }
  }

  @Test func `The option beats the variable, which beats the usual place`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        export PLAT_DATABASE=variable
        plat scan -q tree; plat scan -q --database=option tree
        mkdir folder; PLAT_DATABASE=folder plat scan -q tree
        PLAT_DATABASE= plat scan -q tree
        ls variable option folder/* state/plat/roots/* | sed 's/-[0-9a-f]*[.]plat/-HASH.plat/'
        """
      )
      #expect(
        outcome.text == """
          folder/tree-HASH.plat
          option
          state/plat/roots/tree-HASH.plat
          variable

          """
      )
      #expect(outcome.status == 0)
    }
  }

  @Test(.enabled(if: OtherUser.canRun))
  func `Without a place for snapshots a scan warns and does its work`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        chmod 755 .; chmod 555 home
        \(OtherUser.prefix)env -u XDG_STATE_HOME plat scan tree
        """
      )
      #expect(outcome.status == 0)
      #expect(outcome.text.contains("5 files, 4 directories"))
      #expect(!outcome.text.contains("snapshot"))
      let reason = "\(box.directory)/home/.local: mkdir: Permission denied"
      #expect(outcome.errors == "plat: no snapshot is kept: \(reason)\n")
    }
  }

  @Test(.enabled(if: geteuid() == 0 && OtherUser.canRun, "only root can be a user without a home"))
  func `Without a home a scan warns and does its work`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        chmod 755 .
        env -u XDG_STATE_HOME -u HOME setpriv --reuid=54321 --clear-groups plat scan tree
        """
      )
      #expect(outcome.status == 0)
      #expect(outcome.text.contains("5 files, 4 directories"))
      #expect(outcome.errors.hasPrefix("plat: no snapshot is kept: no place for snapshots: "))
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `A working directory that was removed is not taken for another one`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        mkdir gone && cd gone && rmdir ../gone
        for words in 'query top' 'snapshots delete 1' 'snapshots path' 'diff ../tree'; do
          plat $words; echo $?
        done
        plat scan --json | grep -c '"snapshot":null'
        plat scan -q . --database="$HOME/a.plat"; echo $?
        cd "$HOME" && ls .. && ls
        """
      )
      let missing = "plat: the working directory: No such file or directory\n"
      let notKept = "plat: no snapshot is kept: the working directory was removed\n"
      #expect(outcome.errors == String(repeating: missing, count: 4) + notKept + notKept)
      #expect(outcome.text == "3\n3\n3\n3\n1\n4\nhome\nstate\ntree\n")
      #expect(box.databases == [])
    }
  }

  @Test(.enabled(if: OtherUser.canRun, "the program lies where no other user may go"))
  func `A folder that may not be looked into is not an empty one`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        chmod 755 . tree && mkdir -m 700 locked
        if [[ $EUID != 0 ]]; then chmod 0 locked; fi
        \(OtherUser.prefix)env plat query top tree --database=locked/a.plat
        """
      )
      #expect(outcome.status == 4)
      #expect(outcome.errors == "plat: locked/a.plat: cannot look for it (Permission denied)\n")
    }
  }

  @Test func `A database whose path is too long for SQLite is said to be`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        x=$(printf %0200d 0); mkdir -p $x/$x/$x && cd $x/$x/$x
        plat scan -q "$OLDPWD/tree" --database=a.plat; echo $?
        ls
        """
      )
      #expect(outcome.errors == "plat: a.plat: open: File name too long\n")
      #expect(outcome.text == "4\n")
    }
  }

  @Test(arguments: [
    ("1960-01-01", -315_619_200), ("2262-04-12", 9_223_372_800), ("9999-12-31", 253_402_214_400),
  ])
  func `A clock that is far wrong does no harm`(date: String, second: Int) async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        cat >clock.c <<'END'
        #define _GNU_SOURCE
        #include <sys/syscall.h>
        #include <time.h>
        #include <unistd.h>
        int clock_gettime(clockid_t clock, struct timespec *time) {
          int answer = syscall(SYS_clock_gettime, clock, time);
          if (clock == CLOCK_REALTIME) time->tv_sec = \(second);
          return answer;
        }
        time_t time(time_t *second) { return \(second); }
        END
        cc -shared -fPIC -o clock.so clock.c
        for words in 'scan -q' 'scan -q' 'query top' 'query ages' 'snapshots show latest' \
          'diff --to now' 'render -o a.svg' 'snapshots prune' 'snapshots check'; do
          LD_PRELOAD=./clock.so plat $words tree >output || echo "$words: $?"
        done
        plat scan -q tree && plat history tree >output; echo $?
        """
      )
      #expect(outcome.text == "0\n")
      #expect(!outcome.errors.contains("damaged") && !outcome.errors.contains("Fatal"))
    }
  }

  @Test func `A full disk leaves the snapshot before, and is told`() async throws {
    // More names than the limit has room for, and such as do not compress.
    var random = SplitMix64(seed: 7)
    let names = (0..<3_000).map { _ in "\(random.next())\(random.next())\(random.next())" }
    try await withSandbox(Self.items) { box in
      let before = await box.run(["scan", box.tree, "--json"])
      #expect(before.status == 0)
      for name in names {
        let path = "\(box.tree)/\(name)"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
      }
      let outcome = try box.shell(
        "ulimit -f 64; plat scan -q tree"
      )
      #expect(outcome.status == 4)
      #expect(outcome.errors.hasPrefix("plat: \(box.roots)/tree-"))
      #expect(outcome.errors.hasSuffix(": no space left for the snapshot\n"))
      let answer: QueryAnswer = try await box.json(["query", "list", box.tree])
      let scan = try before.json(ScanAnswer.self)
      #expect(answer.directory.allocatedSize == scan.allocatedSize)
      #expect(answer.directory.files == scan.files)
    }
  }

  @Test func `Scans at once keep a snapshot each`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell(
        """
        for i in 1 2 3 4; do plat scan --json tree >$i.json & jobs[i]=$!; done
        for i in 1 2 3 4; do wait "${jobs[i]}"; echo $?; done
        """
      )
      #expect(outcome.text == "0\n0\n0\n0\n")
      #expect(outcome.errors == "")
      let list: SnapshotsAnswer = try await box.json(["snapshots", "list", box.tree])
      #expect(list.snapshots.map(\.id) == [1, 2, 3, 4])
      #expect(Set(list.snapshots.map(\.allocatedSize)).count == 1)
    }
  }
}

import Foundation
import Glibc
import PlatCommands
import PlatTestSupport
import Testing

/// Answers from a snapshot, compared with what find(1) says of a tree that has not changed since.
///
/// Each question is asked of the whole tree, which is loaded, and of a small part, which is not.
struct QueryOracleTests {
  /// Entries of all kinds, with sizes, ages and owners of all sorts, and names that are hostile.
  static let script = #"""
    mkdir -p tree/part/lib/deep/man1 tree/part/photos tree/part/empty tree/many tree/part/src-x tree/part/src
    cd tree/part
    for name in lib/a.c lib/deep/b.c lib/deep/c.h src/m.C src/.hidden.jpg src-x/z.c; do echo "$name" >"$name"; done
    head -c 70000 /dev/zero | tr '\0' x >photos/big.jpg
    head -c 5000 /dev/zero | tr '\0' y >photos/photo.JPG
    head -c 1000 /dev/zero | tr '\0' z >photos/clip.mp4
    truncate -s 3000000 photos/hole.iso
    : >.jpg; : >lib/deep/man1/ls.1; : >'[a]b*'; : >$'new\nline.c'; : >$'bad\xffname.c'; : >'q"u,ote'
    echo run >run; chmod +x run
    ln photos/big.jpg lib/a-second-name.jpg; ln photos/big.jpg zz.jpg; ln photos/clip.mp4 ../many/clip.mp4
    ln -s photos link; ln -s nowhere lib/dangling.jpg; mkfifo lib/pipe
    (cd ../many && seq -f 'file%g' 3000 | xargs touch)
    touch -d '2020-06-01 00:00:00 UTC' photos/photo.JPG; touch -d '2020-05-31 23:59:59 UTC' lib/a.c
    touch -d '2020-06-01 23:59:59 UTC' lib/deep/b.c; touch -d '2020-06-02 00:00:00 UTC' src/m.C
    touch -h -d '2024-02-29 UTC' link; touch -d '1965-01-01 UTC' run; touch -d '2100-01-01 UTC' zz.jpg
    touch -d '20 days ago' lib/deep/c.h; touch -d '5 days ago' photos/clip.mp4
    if [ "$(id -u)" = 0 ]; then
      chown 1234:4321 photos/photo.JPG lib/deep photos/clip.mp4; chown -h 54321:0 link; chown 0:4321 run
    fi
    """#

  static let cases: [(query: [String], find: [String])] = [
    ([], []),
    (["--name", "*.jpg"], ["-name", "*.jpg"]),
    (["--name", "[a-c].?"], ["-name", "[a-c].?"]),
    (["--name", "[!a-z]*"], ["-name", "[!a-z]*"]),
    (["--name", #"\[a]*"#], ["-name", #"\[a]*"#]),
    (["--name", "*.c", "--name", "*.mp4"], ["(", "-name", "*.c", "-o", "-name", "*.mp4", ")"]),
    (["--path", "lib/*"], ["-regex", "TOP/lib/[^/]*"]),
    (["--path", "lib/**"], ["-path", "TOP/lib/*"]),
    (["--path", "**/deep/*.c"], ["-regex", #"TOP/\(.*/\)?deep/[^/]*\.c"#]),
    (["--path", "TOP/*/*.c"], ["-regex", #"TOP/[^/]*/[^/]*\.c"#]),
    (["--kind", "file"], ["-type", "f"]),
    (["--kind=link", "--kind=other"], ["(", "-type", "l", "-o", "-type", "p", ")"]),
    (["--kind", "directory"], ["-type", "d"]),
    (["-a", "--kind", "file", "--larger", "1000"], ["-type", "f", "-size", "+1000c"]),
    (["-a", "--kind", "file", "--smaller", "1000"], ["-type", "f", "-size", "-1000c"]),
    (["--newer", "2020-06-01"], ["-newermt", "2020-06-01 23:59:59 UTC"]),
    (["--older", "2020-06-01"], ["!", "-newermt", "2020-05-31 23:59:59 UTC"]),
    (["--newer", "10d"], ["-newermt", "10 days ago"]),
    (["--older", "1y"], ["!", "-newermt", "365 days ago"]),
    (["--owner", "1234"], ["-uid", "1234"]),
    (["--owner", "root", "--owner", "54321"], ["(", "-user", "root", "-o", "-uid", "54321", ")"]),
    (["--group", "4321"], ["-gid", "4321"]),
    (["--type", ".JPG"], ["-type", "f", "-iname", "?*.jpg"]),
    (["--depth", "2"], ["-maxdepth", "2"]),
    (["-d1", "--kind", "file"], ["-maxdepth", "1", "-type", "f"]),
    (["photo"], ["-name", "*photo*"]),
    (["*.c"], ["-name", "*.c"]),
    (["lib/*.c"], ["-regex", #"TOP/lib/[^/]*\.c"#]),
    (["nothing like it"], ["-false"]),
    (
      ["--name", "*a*", "--kind", "file", "--older", "1y", "--owner", "root"],
      ["-name", "*a*", "-type", "f", "!", "-newermt", "365 days ago", "-user", "root"]
    ),
  ]

  @Test func `Find finds what find finds, in order of the paths`() async throws {
    try await withScannedTree { box in
      for directory in [box.tree, box.tree + "/part"] {
        for (query, find) in Self.cases {
          let query = query.map { $0.replacing("TOP", with: directory) }
          let find = find.map { $0.replacing("TOP", with: directory) }
          let words = ["find", directory, "-mindepth", "1"] + find + ["-printf", "%P\\0"]
          let expected = try run(words).output.split(separator: 0).sorted { first, second in
            first.split(separator: 0x2f).lexicographicallyPrecedes(second.split(separator: 0x2f)) {
              $0.lexicographicallyPrecedes($1)
            }
          }
          let outcome = await box.run(["query", "find", "-q", "-0"] + query + [directory])
          #expect(outcome.status == 0)
          #expect(outcome.output.split(separator: 0) == expected, "\(query) in \(directory)")
          let listed = await box.run(["query", "find", "--json"] + query + [directory])
          let rows = try listed.json(QueryAnswer.self).rows
          #expect(rows.count == expected.count, "\(query) in \(directory)")
        }
      }
    }
  }

  /// The types of the names of ``script``, by their ends.
  private func type(of entry: FoundTree.Entry) -> String {
    let name = String(decoding: entry.name, as: UTF8.self)
    switch entry.kind {
    case "d": return "directory"
    case "l": return "link"
    case "p": return "special"
    default: break
    }
    if name.hasSuffix(".1") { return "document" }
    let types = ["c": "code", "h": "code", "jpg": "image", "mp4": "video", "iso": "archive"]
    guard name.dropFirst().contains(".") else { return name == "run" ? "program" : "other" }
    let end = name.split(separator: ".").last.map { String($0).lowercased() } ?? ""
    return types[end] ?? "other"
  }

  private func age(of entry: FoundTree.Entry, now: Int64) -> String {
    let days: [(Int64, String)] = [
      (1, "1 day"), (7, "1 week"), (30, "1 month"), (91, "3 months"), (365, "1 year"),
      (730, "2 years"), (1461, "4 years"),
    ]
    return days.first { now - entry.modified <= $0.0 * 86_400 }?.1 ?? "older"
  }

  @Test func `Tables of types, ages and owners add up to the whole, as find has it`() async throws {
    try await withScannedTree { box in
      let now = Int64(time(nil))
      for part in ["", "part", "part/lib"] {
        let all = try FoundTree(box.tree, part: part).entries
        let directory = box.tree + "/" + part
        let selections: [([String], [FoundTree.Entry])] = [
          ([], all), (["--kind", "file"], all.filter { $0.kind == "f" }),
          (["-d1"], all.filter { $0.names.count <= 1 }),
          (["--larger", "4096"], all.filter { $0.allocated > 4096 }),
          (["--name", "zz*"], all.filter { $0.name.starts(with: "zz".utf8) }),
        ]
        for (options, entries) in selections {
          let types = Dictionary(grouping: entries) { type(of: $0) }
          let ages = Dictionary(grouping: entries) { age(of: $0, now: now) }
          let owners = Dictionary(grouping: entries) { String($0.owner) }
          for (verb, expected) in [("types", types), ("ages", ages), ("owners", owners)] {
            let answer: ClassesAnswer = try await box.json(["query", verb, directory] + options)
            let found = answer.rows.map { ($0.label, $0.sums) }
            #expect(
              Dictionary(found) { first, _ in first } == expected.mapValues { FoundSums($0) },
              "\(verb) \(options) in \(part)"
            )
            #expect(found.count == expected.count)
            if options.isEmpty {
              let sum = answer.rows.reduce(0) { $0 + $1.allocatedSize }
              #expect(sum == answer.directory.allocatedSize)
            }
          }
        }
      }
    }
  }

  @Test func `With filters directories count what is let through, as find has it`() async throws {
    try await withScannedTree { box in
      for part in ["", "part"] {
        let all = try FoundTree(box.tree, part: part).entries
        let selections: [([String], (FoundTree.Entry) -> Bool)] = [
          (["--kind", "file"], { $0.kind == "f" }),
          (["--name", "*.jpg"], { String(decoding: $0.name, as: UTF8.self).hasSuffix(".jpg") }),
          (["--older", "2021-01-01"], { $0.modified < 1_609_459_200 }),
        ]
        for (options, isChosen) in selections {
          let chosen = all.filter(isChosen)
          var expected: [String: FoundSums] = [:]
          for directory in all where directory.kind == "d" && !directory.path.isEmpty {
            let below = chosen.filter { $0.path == directory.path || $0.isBelow(directory) }
            let path = String(decoding: directory.path, as: UTF8.self)
            if !below.isEmpty { expected[path] = FoundSums(below) }
          }
          let words =
            ["query", "top", "-q", "--csv", "-n", "1000", "\(box.tree)/\(part)"] + options
          let found = await box.run(words).csv(below: "\(box.tree)/\(part)")
          #expect(found == expected, "\(options) in \(part)")
        }
      }
    }
  }

  @Test func `The largest files with filters are those of find`() async throws {
    try await withScannedTree { box in
      let files = try FoundTree(box.tree).entries
        .filter { $0.kind == "f" && $0.isCharged && $0.modified < 1_735_689_600 }
        .map { $0.allocated }.sorted(by: >)
      let words = ["query", "top", "--files", "--older", "2025-01-01", "-n3", box.tree]
      let answer: QueryAnswer = try await box.json(words)
      #expect(answer.rows.map(\.allocatedSize) == Array(files.prefix(3)))
    }
  }

  private func withScannedTree(_ body: (Sandbox) async throws -> Void) async throws {
    try await withSandbox([]) { box in
      let made = try box.shell("set -e; " + Self.script)
      try #require(made.status == 0, "\(made.errors)")
      _ = await box.run(["scan", "-q", box.tree])
      try await body(box)
    }
  }
}

/// What a test reads of `plat/query/types/1` and its like.
private struct ClassesAnswer: Decodable {
  struct Row: Decodable {
    var type: String?
    var age: String?
    var owner: Int?
    var count: Int
    var allocatedSize: UInt64
    var apparentSize: UInt64

    var label: String { type ?? age ?? owner.map(String.init) ?? "" }
    var sums: FoundSums {
      FoundSums(count: count, allocated: allocatedSize, apparent: apparentSize)
    }
  }

  var directory: QueryAnswer.Directory
  var rows: [Row]
}

extension Outcome {
  /// The sums of rows of CSV by their paths, which have no quotes and commas, from a directory on.
  fileprivate func csv(below directory: String) -> [String: FoundSums] {
    var sums: [String: FoundSums] = [:]
    let top = directory.hasSuffix("/") ? directory : directory + "/"
    for line in text.components(separatedBy: "\r\n").dropFirst().dropLast() {
      let fields = line.components(separatedBy: ",")
      let path = fields[0].trimmingCharacters(in: ["\""]).dropFirst(top.count)
      sums[String(path)] = FoundSums(
        count: Int(fields[4]) ?? -1,
        allocated: UInt64(fields[2]) ?? 0,
        apparent: UInt64(fields[3]) ?? 0
      )
    }
    return sums
  }
}

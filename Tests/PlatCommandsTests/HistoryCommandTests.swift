import Foundation
import PlatCommands
import PlatStore
import PlatTestSupport
import Testing

struct HistoryCommandTests {
  /// What a test reads of `plat/history/1`.
  private struct Answer: Decodable {
    struct Snapshot: Decodable {
      var id: Int
      var allocatedSize: UInt64?
      var files: Int?
      var allocatedChange: Int64?
      var filesChange: Int?
    }

    struct Rate: Decodable {
      var allocatedPerDay: Double
      var days: Double
    }

    struct FileSystem: Decodable {
      var availableSize: UInt64
      var size: UInt64
    }

    var snapshots: [Snapshot]
    var rate: Rate?
    var fileSystem: FileSystem?
    var fullInDays: Double?
    var fullAt: String?
  }

  /// Calls `body` in a sandbox with snapshots of a directory that grows by a file between two.
  ///
  /// - Parameters:
  ///   - count: The number of snapshots, the last of which is of now.
  ///   - days: How many days lie between two, with 10 MB free; `nil` leaves all as it was scanned.
  ///   - body: Receives the sandbox.
  /// - Throws: What `body` throws, and what keeps the series from being made.
  private func withSeries(
    _ count: Int,
    days: Int? = nil,
    _ body: (Sandbox) async throws -> Void
  ) async throws {
    try await withSandbox([.file("start", size: 50_000)]) { box in
      for step in 1...count {
        if step > 1 {
          let folder = box.tree + "/grown"
          try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
          try Data(count: 30_000).write(to: URL(filePath: folder + "/\(step)"))
        }
        _ = await box.run(["scan", box.tree])
      }
      if let days { try await spread(box, days: days) }
      try await body(box)
    }
  }

  /// Puts a series of which the last is of now, and the others some days apart, in the place of one.
  private func spread(_ box: Sandbox, days: Int) async throws {
    let path = await Array(box.run(["snapshots", "path", "-0", box.tree]).output.dropLast())
    let old = path + Array(".old".utf8)
    try FileManager.default.moveItem(
      atPath: String(decoding: path, as: UTF8.self),
      toPath: String(decoding: old, as: UTF8.self)
    )
    let source = try SnapshotStore(old, for: .reading)
    let target = try SnapshotStore(path, for: .writing)
    let snapshots = try source.snapshots()
    for (index, snapshot) in snapshots.enumerated() {
      var scan = snapshot.scan
      let earlier = Int64((snapshots.count - 1 - index) * days) * 86_400_000_000_000
      scan.startedAt -= earlier
      scan.finishedAt -= earlier
      (scan.freeSpace, scan.totalSpace) = (10_000_000, 20_000_000)
      try target.write(source.load(snapshot.id), scan)
    }
  }

  @Test func `Each snapshot is a row with the size that du told, and the change`() async throws {
    try await withSeries(4, days: 1) { box in
      let answer: Answer = try await box.json(["history", box.tree])
      #expect(answer.snapshots.map(\.id) == [1, 2, 3, 4])
      #expect(answer.snapshots.map(\.files) == [1, 2, 3, 4])
      #expect(answer.snapshots.map(\.filesChange) == [nil, 1, 1, 1])
      #expect(try answer.snapshots.last?.allocatedSize == diskUsage([box.tree]))
      for (before, after) in zip(answer.snapshots, answer.snapshots.dropFirst()) {
        let sizes = (try #require(before.allocatedSize), try #require(after.allocatedSize))
        #expect(after.allocatedChange == Int64(sizes.1) - Int64(sizes.0))
      }
      let rate = try #require(answer.rate)
      #expect(rate.allocatedPerDay > 0)
      let available = try #require(answer.fileSystem?.availableSize)
      let days = try #require(answer.fullInDays)
      #expect(available == 10_000_000)
      #expect(abs(days - Double(available) / rate.allocatedPerDay) <= 0.06 + days / 1e4)
      #expect(answer.fullAt != nil)

      let newest: Answer = try await box.json(["history", box.tree, "-n", "2"])
      #expect(newest.snapshots.map(\.id) == [3, 4])
      #expect(newest.snapshots.map(\.filesChange) == [1, 1])
    }
  }

  @Test func `A directory inside has a history too, from when it was there`() async throws {
    try await withSeries(3, days: 1) { box in
      let answer: Answer = try await box.json(["history", box.tree + "/grown"])
      #expect(answer.snapshots.map(\.files) == [nil, 1, 2])
      #expect(answer.snapshots.map(\.filesChange) == [nil, nil, 1])
      let text = await box.run(["history", box.tree + "/grown", "--ascii"]).text
      let rows = text.split(separator: "\n")
      #expect(rows[0].split(separator: " ") == ["ID", "STARTED", "SIZE", "CHANGE", "FILES"])
      #expect(rows[1].hasSuffix("(not there)"))
      #expect(rows[3].hasSuffix("  ##################"))
      #expect(text.contains(" a day, from 2 snapshots over 1 d"))
      let csv = await box.run(["history", box.tree + "/grown", "--csv"]).text
      let fields = csv.components(separatedBy: "\r\n")[1].split(
        separator: ",",
        omittingEmptySubsequences: false
      )
      #expect(fields.count == 7)
      #expect(fields.suffix(5) == ["", "", "", "", ""])

      let missing = await box.run(["history", box.tree + "/never"])
      #expect(missing.status == 3)
      #expect(missing.errors.contains("/never: not a directory of the snapshot in "))
    }
  }

  @Test func `One snapshot tells no rate, and the space that there was then`() async throws {
    try await withSeries(1) { box in
      let text = await box.run(["history", box.tree]).text
      #expect(text.hasSuffix(": 1 snapshot, too few to tell how fast it grows\n"))
      try FileManager.default.removeItem(atPath: box.tree)
      let answer: Answer = try await box.json(["history", box.tree])
      #expect(answer.rate == nil)
      #expect(answer.fileSystem != nil)
      #expect(answer.fullInDays == nil)
    }
  }

  @Test func `Snapshots of one hour tell no rate of a day`() async throws {
    try await withSeries(3) { box in
      let text = await box.run(["history", box.tree]).text
      #expect(text.contains(#/: 3 snapshots within .+, too close to tell how fast it grows\n$/#))
      let answer: Answer = try await box.json(["history", box.tree])
      #expect(answer.rate == nil && answer.fullInDays == nil && answer.fullAt == nil)
      #expect(answer.snapshots.count == 3)
    }
  }

  @Test func `--plot draws a picture in place of the table, by the name of the file`() async throws
  {
    try await withSeries(3) { box in
      for (name, start) in [("a.png", "\u{89}PNG"), ("a.svg", "<svg "), ("A.SVG", "<svg ")] {
        let path = "\(box.directory)/\(name)"
        let words = ["history", box.tree, "--plot", path, "--size=400x200", "--title=<&\u{1b}"]
        let outcome = await box.run(words)
        #expect(outcome.status == 0)
        #expect(outcome.text == "" && outcome.errors == "")
        let bytes = try Data(contentsOf: URL(filePath: path))
        let text = String(bytes.prefix(start.unicodeScalars.count).map { Character(.init($0)) })
        #expect(text == start)
        // Packed pixels may happen to have these bytes.
        #expect(start == "\u{89}PNG" || bytes.range(of: Data("<&".utf8)) == nil)
        let data = await box.run(words + ["--json"])
        #expect(data.text.hasPrefix(#"{"schema":"plat/history/1","#))
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
      }
    }
  }

  @Test(
    arguments: [
      (["--plot=a.gif"], 2, "the name of 'a.gif' does not end in .png or .svg"),
      (["--plot=a.png", "--size=0x5"], 2, "a picture of 0x5 pixels cannot be drawn"),
      (["--plot=/nonexistent/a.svg"], 4, "/nonexistent/a.svg: cannot "),
      (["-n0"], 2, "option '--count'"),
      (["/nonexistent"], 2, "only one DIR"),
    ] as [([String], Int32, String)]
  )
  func `What cannot be drawn or told is an error and leaves no file`(
    options: [String],
    status: Int32,
    message: String
  ) async throws {
    try await withSeries(2) { box in
      let outcome = await box.run(["history", box.tree] + options)
      #expect(outcome.status == status)
      #expect(outcome.errors.hasPrefix("plat: " + message), "\(outcome.errors)")
      #expect(outcome.text == "")
    }
  }
}

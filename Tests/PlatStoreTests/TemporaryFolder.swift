import Foundation
import PlatStore
import PlatTree
import Testing

/// Makes a folder, and removes it when `body` returns.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("plat-store-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

extension URL {
  /// The bytes of the path of a file in a folder.
  func bytes(of name: String) -> [UInt8] { Array(appendingPathComponent(name).path.utf8) }
}

extension ScanDescription {
  /// A scan that began a number of seconds after 2026-01-01.
  static func at(_ seconds: Int64) -> ScanDescription {
    let start = (1_767_225_600 + seconds) * 1_000_000_000
    return ScanDescription(startedAt: start, finishedAt: start + 5_000_000, options: "x", host: "h")
  }
}

/// Runs a program and returns what it printed, or `nil` if it is not installed.
func output(of program: String, _ arguments: [String]) throws -> String? {
  guard let path = executable(program) else { return nil }
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  process.standardOutput = pipe
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  return String(decoding: data, as: UTF8.self)
}

/// Returns where a program is installed, or `nil`.
func executable(_ program: String) -> String? {
  ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + program }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}

import Foundation

/// What a program printed, and how it ended.
package struct ProgramOutput: Sendable {
  /// The exit status, or the number of the signal that ended it.
  package var status: Int32
  /// What it wrote to its standard output.
  package var output: [UInt8]

  /// The output as text.
  package var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs a program and waits for it.
///
/// - Parameters:
///   - words: The name of the program, looked up in `PATH`, and its arguments.
///   - showsErrors: Whether what it writes to standard error reaches that of the test.
/// - Returns: What it printed, and how it ended.
/// - Throws: An error of Foundation's if `env` cannot be started.
package func run(_ words: [String], showsErrors: Bool = false) throws -> ProgramOutput {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  var environment = ProcessInfo.processInfo.environment
  environment["LC_ALL"] = "C"
  process.environment = environment
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardInput = FileHandle.nullDevice
  if !showsErrors { process.standardError = FileHandle.nullDevice }
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return ProgramOutput(status: process.terminationStatus, output: Array(output))
}

/// What `du -s -B1` says that directories occupy together, in bytes; `nil` if it says nothing.
package func diskUsage(_ paths: [String], options: [String] = []) throws -> UInt64? {
  let lines = try run(["du", "-s", "-c", "-B1"] + options + ["--"] + paths).text.split(
    separator: "\n"
  )
  return lines.last.flatMap { $0.split(separator: "\t").first }.flatMap { UInt64($0) }
}

/// How many entries `find` lists at and below a directory.
package func entryCount(_ path: String) throws -> Int {
  try run(["find", path, "-printf", "x"]).output.count
}

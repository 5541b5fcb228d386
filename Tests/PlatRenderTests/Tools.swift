import CPlatCairo
import Foundation
import Testing

/// Programs of others that tell whether a file is well formed.
enum Tool {
  static func path(of name: String) -> String? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return directories.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func isInstalled(_ name: String) -> Bool { path(of: name) != nil }

  /// Runs a program on a file with the given bytes, and expects that it succeeds.
  ///
  /// `output` follows the name of the file, for programs that ask where to write.
  ///
  /// - Returns: What the program wrote.
  @discardableResult
  static func check(
    _ bytes: [UInt8],
    with name: String,
    _ arguments: [String] = [],
    output: String? = nil
  ) throws -> String {
    let program = try #require(Self.path(of: name))
    return try withTemporaryFile(bytes) { file in
      let process = Process()
      process.executableURL = URL(filePath: program)
      process.arguments = arguments + [file] + [output].compactMap(\.self)
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(name): \(output.prefix(500))")
      return output
    }
  }
}

func withTemporaryFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result
{
  let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try Data(bytes).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  return try body(file.path)
}

/// A picture as Cairo's decoder sees it.
struct DecodedPicture {
  var width: Int
  var height: Int
  /// The rows from top to bottom, each pixel as `0x00RRGGBB`.
  var pixels: [UInt32] = []

  init(png: [UInt8]) throws {
    let decoded = try withTemporaryFile(png) { cairo_image_surface_create_from_png($0) }
    let surface = try #require(decoded)
    defer { cairo_surface_destroy(surface) }
    try #require(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
    width = Int(cairo_image_surface_get_width(surface))
    height = Int(cairo_image_surface_get_height(surface))
    let rowLength = Int(cairo_image_surface_get_stride(surface)) / 4
    let data = UnsafeRawPointer(try #require(cairo_image_surface_get_data(surface)))
    for y in 0..<height {
      for x in 0..<width {
        let pixel = data.load(fromByteOffset: (y * rowLength + x) * 4, as: UInt32.self)
        pixels.append(pixel & 0xff_ffff)
      }
    }
  }
}

/// A file that holds what a test expects.
enum Golden {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/treemaps")

  /// Returns the bytes of a golden file; under `PLAT_RECORD=1`, after writing `actual` to it.
  static func bytes(_ name: String, recording actual: [UInt8]) throws -> [UInt8] {
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["PLAT_RECORD"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(actual).write(to: file)
    }
    return Array(try Data(contentsOf: file))
  }
}

import Foundation
import PlatScan
import PlatTree

@testable import PlatRender

/// Prints what the encoder of PNG costs, in milliseconds of CPU time, and writes what it makes.
///
/// `Encoding DIR FOLDER` draws DIR by apparent size, writes FOLDER/STYLE.png for each style, and prints
/// its name and the median of five encodings.
@main
struct Encoding {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3 else {
      print("usage: Encoding DIR FOLDER")
      exit(2)
    }
    let tree = try await DirectoryScanner().scan([Array(words[1].utf8)]).tree
    for style in RenderOptions.Style.allCases {
      var options = RenderOptions()
      options.style = style
      options.measure = .apparent
      let canvas = try TreemapRenderer(options: options).draw(tree, from: nil)
      let (size, rowLength) = (canvas.size, canvas.rowLength)
      var file: [UInt8] = []
      let times = try (0..<5).map { _ in
        let start = clock()
        file = try canvas.withPixels { pixels throws(RenderError) in
          try PNGEncoder().encode(pixels.span, size: size, rowLength: rowLength)
        }
        return Double(clock() - start) * 1000 / Double(CLOCKS_PER_SEC)
      }
      try Data(file).write(to: URL(filePath: "\(words[2])/\(style).png"))
      print(style, String(format: "%.1f", times.sorted()[2]))
    }
  }
}

import Testing

@testable import PlatRender

struct PDFTests {
  static func options(_ theme: Theme = .print) -> RenderOptions {
    var options = RenderOptions()
    options.theme = theme
    options.now = 1_796_000_000
    return options
  }

  @Test(arguments: Theme.allCases, RenderOptions.Style.allCases)
  func `The same tree gives the same document`(theme: Theme, style: RenderOptions.Style) throws {
    var options = Self.options(theme)
    options.style = style
    let renderer = TreemapRenderer(options: options)
    let document = try renderer.pdf(of: smallTree)
    #expect(document.starts(with: "%PDF-".utf8))
    #expect(try renderer.pdf(of: smallTree) == document)
  }

  @Test(.enabled(if: Tool.isInstalled("pdftotext")))
  func `Text can be searched`() throws {
    let document = try TreemapRenderer(options: Self.options()).pdf(of: smallTree)
    let text = try Tool.check(document, with: "pdftotext", ["-layout"], output: "-")
    for word in ["/srv", "photos", "backup.tar.gz", "a <b> & \"c\".mp3", "Archive", "drawn"] {
      #expect(text.contains(word), "\(word)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled("pdfinfo")), arguments: [(1.0, 1200, 750), (2, 2400, 1500)])
  func `A page has the size of its picture, a title and the date of the tree`(
    scale: Double,
    width: Int,
    height: Int
  ) throws {
    var options = Self.options()
    options.scale = scale
    let document = try TreemapRenderer(options: options).pdf(of: smallTree)
    let lines = try Tool.check(document, with: "pdfinfo", ["-isodates"]).split(separator: "\n")
    func value(_ name: String) -> String? {
      lines.first { $0.hasPrefix(name + ":") }
        .map { $0.dropFirst(name.count + 1).drop { $0 == " " } }.map(String.init)
    }
    #expect(value("Page size") == "\(width) x \(height) pts")
    #expect(value("Pages") == "1")
    #expect(value("Title") == "/srv")
    #expect(value("CreationDate")?.hasPrefix("2026-11-30T") == true)
  }

  @Test(.enabled(if: Tool.isInstalled("pdffonts")))
  func `All fonts are in the document, with what letters mean`() throws {
    let document = try TreemapRenderer(options: Self.options()).pdf(of: smallTree)
    let fonts = try Tool.check(document, with: "pdffonts").split(separator: "\n").dropFirst(2)
    #expect(!fonts.isEmpty)
    for font in fonts { #expect(font.contains("yes yes yes"), "\(font)") }
  }

  @Test func `An impossible size is refused`() {
    var options = Self.options()
    options.width = 40_000
    #expect(throws: RenderError.impossibleSize(width: 40_000, height: 1_000)) {
      try TreemapRenderer(options: options).pdf(of: smallTree)
    }
  }
}

import PlatTree
import Testing

@testable import PlatRender

struct ColorTests {
  @Test(arguments: [
    (FileCategory.code, 0x6bbbb2), (.program, 0x7290ef), (.document, 0xfebe4e), (.image, 0x9ede9b),
    (.video, 0xc473bb), (.audio, 0x15e6ec), (.archive, 0xbe6235), (.data, 0xbbacff),
    (.configuration, 0x8aa42d), (.log, 0xe88a7b), (.other, 0x7c8088),
  ])
  func `The palette of the dark theme is as published`(category: FileCategory, hex: Int) {
    #expect(category.color(in: .dark) == Color(hex: UInt32(hex)))
  }

  @Test func `A colour survives the way to OKLab and back`() {
    var generator = SplitMix64(state: 1)
    for _ in 0..<2_000 {
      let color = Color(hex: UInt32.random(in: 0...0xff_ffff, using: &generator))
      #expect(OKLab(LinearColor(color)).linear.encoded == color)
    }
  }

  @Test func `A colour out of gamut keeps its lightness and hue, and gives up chroma`() {
    let wanted = OKLCH(0.84, 0.4, 198)
    let shown = OKLab(LinearColor(wanted.color))
    #expect(abs(shown.lightness - 0.84) < 0.005)
    #expect(shown.a < 0 && shown.b < 0)
  }

  @Test func `A colour is written as CSS writes it`() {
    #expect(Color(hex: 0x0a01ff).description == "#0a01ff")
  }

  @Test(arguments: [
    (0x000000, 0xffffff, 21.0), (0x777777, 0xffffff, 4.48), (0x123456, 0x123456, 1.0),
  ])
  func `Contrast is that of WCAG`(one: Int, two: Int, contrast: Double) {
    let colors = [one, two].map { Color(hex: UInt32($0)) }
    #expect(abs(colors[0].contrast(with: colors[1]) - contrast) < 0.005)
  }
}

struct PaletteTests {
  /// How eyes without one kind of cone see linear light: Machado, Oliveira and Fernandes, *A
  /// Physiologically-based Model for Simulation of Color Vision Deficiency* (2009), severity 1.0.
  static let visions: [(name: String, matrix: [Double])] = [
    ("normal", [1, 0, 0, 0, 1, 0, 0, 0, 1]),
    (
      "protanopia",
      [
        0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
      ]
    ),
    (
      "deuteranopia",
      [
        0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881,
      ]
    ),
    (
      "tritanopia",
      [
        1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900,
      ]
    ),
  ]

  func seen(_ color: Color, through m: [Double]) -> OKLab {
    let c = LinearColor(color)
    func channel(_ row: Int) -> Double {
      min(max(m[row] * c.red + m[row + 1] * c.green + m[row + 2] * c.blue, 0), 1)
    }
    return OKLab(LinearColor(red: channel(0), green: channel(3), blue: channel(6)))
  }

  @Test(arguments: Theme.allCases)
  func `Any two categories differ in normal and colour-blind eyes`(theme: Theme) {
    let categories = FileCategory.allCases
    for vision in Self.visions {
      for (index, one) in categories.enumerated() {
        for two in categories[(index + 1)...] {
          let distance = seen(one.color(in: theme), through: vision.matrix)
            .distance(to: seen(two.color(in: theme), through: vision.matrix))
          #expect(distance >= 0.07, "\(one) and \(two) in \(theme), \(vision.name)")
        }
      }
    }
  }

  @Test func `The older, the darker, in every kind of eyes`() {
    let ages = stride(from: 0.0, through: 2190, by: 73).map { Palette.color(ofAgeInDays: $0).color }
    for vision in Self.visions {
      let lightness = ages.map { seen($0, through: vision.matrix).lightness }
      for (younger, older) in zip(lightness, lightness.dropFirst()) { #expect(younger > older) }
    }
  }

  @Test(arguments: Theme.allCases)
  func `Every label can be read on every shade of its tile`(theme: Theme) throws {
    let ages = AgeClass.allCases.map { Palette.color(ofAgeInDays: Double($0.days ?? 3_000)) }
    for color in Palette.hues + [Palette.grey] + ages {
      for isGroup in [false, true] {
        let style = TileStyle(color, in: theme, isGroup: isGroup)
        let labels = [style.label, style.secondaryLabel]
        let least = style.shades.flatMap { shade in labels.map { $0.contrast(with: shade) } }.min()
        #expect(try #require(least) >= 4.5, "\(style.fill), \(theme), group: \(isGroup)")
      }
    }
  }

  @Test(arguments: Theme.allCases)
  func `A tile is coloured as in the legend, or nearly so where its label demands it`(theme: Theme)
  {
    for color in Palette.hues + [Palette.grey] {
      let wanted = OKLab(LinearColor(theme.adapted(color).color))
      let style = TileStyle(color, in: theme, isGroup: false)
      #expect(OKLab(LinearColor(style.fill)).distance(to: wanted) < 0.03)
    }
  }

  @Test(arguments: Theme.allCases)
  func `Headers and titles can be read at every depth`(theme: Theme) {
    for ground in (0...8).map({ theme.fill(depth: $0) }) + [theme.background] {
      #expect(theme.text.contrast(with: ground) >= 6)
      #expect(theme.secondaryText.contrast(with: ground) >= 4.5)
    }
  }
}

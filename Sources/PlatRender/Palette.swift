import Glibc
public import PlatTree

/// The colours that tell files apart.
///
/// They are given in OKLCH for the dark theme. The least distance of two categories in OKLab is
/// 0.076 in normal vision and the three kinds of colour blindness (Machado, Oliveira and Fernandes
/// 2009, severity 1.0), as much as the eight colours of Okabe and Ito have.
internal enum Palette {
  /// Returns the colour of a category.
  internal static func color(of category: FileCategory) -> OKLCH {
    switch category {
    case .code: OKLCH(0.739, 0.081, 186)
    case .program: OKLCH(0.672, 0.145, 269)
    case .document: OKLCH(0.84, 0.145, 78)
    case .image: OKLCH(0.84, 0.113, 143.5)
    case .video: OKLCH(0.668, 0.137, 331)
    case .audio: OKLCH(0.84, 0.141, 198)
    case .archive: OKLCH(0.596, 0.132, 45.2)
    case .data: OKLCH(0.788, 0.117, 291.8)
    case .configuration: OKLCH(0.676, 0.144, 121)
    case .log: OKLCH(0.73, 0.117, 29.9)
    case .other: OKLCH(0.60, 0.012, 260)
    }
  }

  /// The colours of things that have no order: those of the categories but the grey one.
  internal static let hues = [
    FileCategory.program, .code, .archive, .data, .document, .image, .configuration, .video, .log,
    .audio,
  ].map(color(of:))

  /// The grey of what is left.
  internal static let grey = color(of: .other)

  /// Returns the colour of an age: the older, the darker and bluer.
  ///
  /// The lightness falls all the way, so that the order is seen without hues as well.
  internal static func color(ofAgeInDays days: Double) -> OKLCH {
    color(ofRank: log1p(max(days, 0)) / log1p(2190))
  }

  /// Returns the colour of a place in an order, from 0 (light) to 1 (dark).
  internal static func color(ofRank rank: Double) -> OKLCH {
    let t = min(max(rank, 0), 1)
    return OKLCH(max(0.40, 0.86 - 0.46 * t), 0.125 - 0.035 * t, 88 + 184 * pow(t, 0.9))
  }
}

extension FileCategory {
  /// The colour in which a theme shows the category.
  public func color(in theme: Theme) -> Color { theme.adapted(Palette.color(of: self)).color }
}

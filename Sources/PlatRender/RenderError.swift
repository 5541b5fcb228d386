/// A reason why a picture was not drawn.
public enum RenderError: Error, Hashable, Sendable {
  /// The size in pixels is one that no picture can have.
  case impossibleSize(width: Int, height: Int)
  /// The scale is not a number from 0.25 to 16.
  case impossibleScale(Double)
  /// There is not enough memory for the picture.
  case outOfMemory
  /// Cairo failed, with a message of its own.
  case cairo(message: String)
  /// zlib failed, with a code of its own.
  case zlib(code: Int)
}

extension RenderError: CustomStringConvertible {
  /// The error as a person reads it after `plat: `.
  public var description: String {
    switch self {
    case .impossibleSize(let width, let height):
      "a picture of \(width)x\(height) pixels cannot be drawn: "
        + "a side has 1 to \(PixelSize.longestSide) pixels, "
        + "the whole at most \(PixelSize.largestArea / 1_000_000) million"
    case .impossibleScale(let scale): "a picture is scaled by 0.25 to 16, not by \(scale)"
    case .outOfMemory: "not enough memory for the picture"
    case .cairo(let message): "cairo: \(message)"
    case .zlib(let code): "zlib: error \(code)"
    }
  }
}

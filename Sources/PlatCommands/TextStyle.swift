/// A way to set text off from other text on a terminal.
///
/// Colour only repeats what the text says: nothing is told by colour alone.
package enum TextStyle: Int, Sendable {
  case bold = 1
  case red = 31
  case green = 32
  case blue = 34
  /// Less important than the text around it.
  case muted = 90

  /// Returns text with the escape sequences of this style around it.
  ///
  /// See ECMA-48, *Control Functions for Coded Character Sets*, section 8.3.117 (SGR).
  package func applied(to text: String) -> String {
    "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }
}

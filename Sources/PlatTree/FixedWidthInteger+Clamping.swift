extension FixedWidthInteger {
  /// Creates the whole number that fits and is the nearest to another; 0 if that is no number.
  package init(clamping number: Double) {
    self = number.isNaN ? 0 : Self(exactly: number.rounded()) ?? (number < 0 ? .min : .max)
  }
}

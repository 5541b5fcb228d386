extension NameKeys {
  /// How the names of one directory are sorted: there are as many bytes in a key as its number of
  /// names leaves room for.
  internal struct KeyOrder {
    private let bytes: UnsafeRawPointer
    private let names: UnsafePointer<Name>
    private let spare: Keys
    private let positionBits: UInt64
    internal let positionMask: UInt64
    /// The bytes of a name in a key.
    private let step: Int

    internal init(bytes: UnsafeRawPointer, names: UnsafePointer<Name>, count: Int, spare: Keys) {
      (self.bytes, self.names, self.spare) = (bytes, names, spare)
      let width = (Int.bitWidth - max(count - 1, 1).leadingZeroBitCount + 7) / 8
      positionBits = UInt64(8 * width)
      positionMask = 1 &<< positionBits &- 1
      step = 8 - width
    }
  }
}

extension NameKeys.KeyOrder {
  /// Sorts all names, by keys that have eight bytes of each, in the order they were added in.
  ///
  /// - Returns: Whether there are names that are equal to their end.
  internal func sort(_ keys: NameKeys.Keys, _ count: Int) -> Bool {
    for index in 0..<count {
      keys[index] = keys[index] & ~positionMask | UInt64(truncatingIfNeeded: index)
    }
    return sort(keys, count, depth: 0)
  }

  /// Sorts names that are equal up to `depth`.
  private func sort(_ keys: NameKeys.Keys, _ count: Int, depth: Int) -> Bool {
    sortByNumber(keys, count)
    var (start, hasEqualNames) = (0, false)
    while start &+ 1 < count {
      let part = keys[start] & ~positionMask
      var end = start &+ 1
      while end < count, keys[end] & ~positionMask == part { end &+= 1 }
      if end &- start > 1, sortEqual(keys + start, end - start, depth: depth) {
        hasEqualNames = true
      }
      start = end
    }
    return hasEqualNames
  }

  /// Sorts names that are equal up to `depth` and in what their keys have of them.
  @inline(never)
  private func sortEqual(_ keys: NameKeys.Keys, _ count: Int, depth: Int) -> Bool {
    var (depth, difference) = (depth, UInt64(0))
    repeat {
      // A last byte of 0 means that the names have ended.
      if keys[0] &>> positionBits & 0xff == 0 { return true }
      depth += step
      for index in 0..<count {
        let position = keys[index] & positionMask
        let name = names[Int(truncatingIfNeeded: position)]
        let next = NameKeys.eightBytes(bytes + name.start + depth, name.length - depth)
        keys[index] = next & ~positionMask | position
        difference |= keys[index] ^ keys[0]
      }
    } while difference & ~positionMask == 0
    return sort(keys, count, depth: depth)
  }

  private func sortByNumber(_ keys: NameKeys.Keys, _ count: Int) {
    let limit = NameKeys.countingLimit
    guard count > limit else { return sortByCounting(keys, count) }
    for start in stride(from: 0, to: count, by: limit) {
      sortByCounting(keys + start, min(limit, count - start))
    }
    var (source, target) = (keys, spare)
    var width = limit
    while width < count {
      for start in stride(from: 0, to: count, by: 2 * width) {
        if start + 2 * width <= count {
          mergeHalves(source + start, width, target + start)
        } else {
          merge(source + start, min(width, count - start), count - start, target + start)
        }
      }
      swap(&source, &target)
      width *= 2
    }
    if source != keys { keys.update(from: source, count: count) }
  }

  /// Sorts a few keys: each goes to the place that is the number of keys before it.
  @inline(__always)
  private func sortByCounting(_ keys: NameKeys.Keys, _ count: Int) {
    // Four at a time; what fills up the last four is before nothing.
    var index = 0
    while index < count {
      (spare + index).update(from: keys + index, count: 4)
      index &+= 4
    }
    (spare + count).update(repeating: .max, count: 3)
    let rounded = index
    index = 0
    while index < count {
      let key = spare[index]
      var (place, other) = (0, 0)
      repeat {
        place &+= number(spare[other] < key)
        place &+= number(spare[other &+ 1] < key)
        place &+= number(spare[other &+ 2] < key)
        place &+= number(spare[other &+ 3] < key)
        other &+= 4
      } while other < rounded
      keys[place] = key
      index &+= 1
    }
  }

  /// Merges two neighbouring sorted parts of `width` keys into `target`.
  ///
  /// From both ends at once, so that the processor has two things to wait for: each end takes `width`
  /// keys, and neither can run out of a part before.
  private func mergeHalves(_ keys: NameKeys.Keys, _ width: Int, _ target: NameKeys.Keys) {
    var (left, right) = (keys, keys + width)
    var (leftEnd, rightEnd) = (keys + (width - 1), keys + (2 * width - 1))
    var (first, last) = (target, target + (2 * width - 1))
    for _ in 0..<width {
      let (leftKey, rightKey) = (left.pointee, right.pointee)
      let takesRight = number(rightKey < leftKey)
      first.pointee = min(leftKey, rightKey)
      right += takesRight
      left += 1 &- takesRight
      first += 1
      let (leftLast, rightLast) = (leftEnd.pointee, rightEnd.pointee)
      let takesLeft = number(rightLast < leftLast)
      last.pointee = max(leftLast, rightLast)
      leftEnd -= takesLeft
      rightEnd -= 1 &- takesLeft
      last -= 1
    }
  }

  /// Merges two neighbouring sorted parts, the second from `middle` to `end`, into `target`.
  private func merge(_ keys: NameKeys.Keys, _ middle: Int, _ end: Int, _ target: NameKeys.Keys) {
    var (left, right, place) = (0, middle, 0)
    while left < middle, right < end {
      let (leftKey, rightKey) = (keys[left], keys[right])
      let takesRight = number(rightKey < leftKey)
      target[place] = min(leftKey, rightKey)
      right &+= takesRight
      left &+= 1 &- takesRight
      place &+= 1
    }
    (target + place).update(from: keys + left, count: middle - left)
    (target + place + (middle - left)).update(from: keys + right, count: end - right)
  }
}

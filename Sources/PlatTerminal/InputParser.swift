/// Turns the bytes that a terminal sends into keys, clicks and answers.
///
/// A sequence may arrive in pieces. A lone escape is told from the start of a sequence by the time that
/// passes: the owner calls ``flush()`` when nothing has followed for a while.
internal struct InputParser {
  internal enum Item: Hashable, Sendable {
    case input(InputEvent)
    case reply(TerminalReply)
  }

  private var pending: [UInt8] = []
  private var pasted: [UInt8]?

  private static let escape: UInt8 = 0x1B
  /// No sequence is longer; what is, is noise.
  private static let limit = 256

  internal init() {}

  /// Whether bytes wait for those that belong to them.
  internal var isWaiting: Bool { !pending.isEmpty }

  /// Takes bytes, and returns what they complete.
  internal mutating func take(_ bytes: some Sequence<UInt8>) -> [Item] {
    pending.append(contentsOf: bytes)
    return parse(isFinal: false)
  }

  /// Takes what is waiting as it is: nothing more comes.
  internal mutating func flush() -> [Item] { parse(isFinal: true) }

  private mutating func parse(isFinal: Bool) -> [Item] {
    var items: [Item] = []
    while !pending.isEmpty {
      if pasted != nil {
        guard continuePaste(isFinal: isFinal, into: &items) else { break }
        continue
      }
      guard let (item, length) = next(isFinal: isFinal) else { break }
      pending.removeFirst(length)
      if let item { items.append(item) }
    }
    return items
  }

  /// Returns the first item of what is waiting, and its length; `nil` if more bytes are needed.
  private mutating func next(isFinal: Bool) -> (Item?, Int)? {
    let first = pending[0]
    guard first == Self.escape else { return character(isFinal: isFinal) }
    guard pending.count > 1 else { return isFinal ? (.key(.escape), 1) : nil }
    switch pending[1] {
    case UInt8(ascii: "["): return controlSequence(isFinal: isFinal)
    case UInt8(ascii: "O"):
      guard pending.count > 2 else { return isFinal ? (.key(.escape), 1) : nil }
      return (Self.arrow(pending[2]).map { .key($0) }, 3)
    case UInt8(ascii: "]"): return operatingSystemCommand(isFinal: isFinal)
    default: return (.key(.escape), 1)
    }
  }

  // MARK: Characters

  private func character(isFinal: Bool) -> (Item?, Int)? {
    let first = pending[0]
    switch first {
    case 0x0D, 0x0A: return (.key(.enter), 1)
    case 0x09: return (.key(.tab), 1)
    case 0x08, 0x7F: return (.key(.backspace), 1)
    case 0x01...0x1A:
      return (.key(.control(Character(Unicode.Scalar(first + 0x60)))), 1)
    case 0x00...0x1F: return (nil, 1)
    case 0x20...0x7E: return (.key(.character(Character(Unicode.Scalar(first)))), 1)
    default: break
    }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    guard pending.count >= length else { return isFinal ? (nil, pending.count) : nil }
    guard length > 1, let text = String(validating: pending[..<length], as: UTF8.self),
      let character = text.first
    else { return (nil, 1) }
    return (.key(.character(character)), length)
  }

  // MARK: Sequences

  private mutating func controlSequence(isFinal: Bool) -> (Item?, Int)? {
    guard
      let end = pending.indices.dropFirst(2).first(where: { (0x40...0x7E).contains(pending[$0]) })
    else { return pending.count > Self.limit || isFinal ? (nil, pending.count) : nil }
    let parameters = pending[2..<end]
    let length = end + 1
    let numbers = parameters.split(
      separator: UInt8(ascii: ";"),
      omittingEmptySubsequences: false
    ).map { part in
      Int(String(decoding: part.filter { (0x30...0x39).contains($0) }, as: UTF8.self)) ?? 0
    }
    switch pending[end] {
    case UInt8(ascii: "M") where parameters.first == UInt8(ascii: "<"),
      UInt8(ascii: "m") where parameters.first == UInt8(ascii: "<"):
      return (Self.mouse(numbers, isRelease: pending[end] == UInt8(ascii: "m")), length)
    case UInt8(ascii: "M"):
      // The old form: three bytes follow, whatever they are.
      guard pending.count >= length + 3 else { return isFinal ? (nil, pending.count) : nil }
      return (nil, length + 3)
    case UInt8(ascii: "R") where numbers.count == 2:
      return (.reply(.cursor(row: numbers[0] - 1, column: numbers[1] - 1)), length)
    case UInt8(ascii: "c"): return (.reply(.attributes), length)
    case UInt8(ascii: "Z"): return (.key(.backTab), length)
    case UInt8(ascii: "~"):
      if numbers.first == 200 {
        pasted = []
        return (nil, length)
      }
      return (Self.numbered(numbers.first ?? 0).map { .key($0) }, length)
    default: return (Self.arrow(pending[end]).map { .key($0) }, length)
    }
  }

  private static func arrow(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    default: nil
    }
  }

  private static func numbered(_ number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 4, 8: .end
    case 3: .delete
    case 5: .pageUp
    case 6: .pageDown
    default: nil
    }
  }

  private static func mouse(_ numbers: [Int], isRelease: Bool) -> Item? {
    guard numbers.count == 3 else { return nil }
    let kind: MouseEvent.Kind
    switch numbers[0] & ~0b1_1100 {
    case 64: kind = .wheelUp
    case 65: kind = .wheelDown
    case 0: kind = isRelease ? .release : .press
    case 2: kind = isRelease ? .release : .secondaryPress
    case 32: kind = .drag
    default: return nil
    }
    return .input(
      .mouse(MouseEvent(kind: kind, row: max(numbers[2] - 1, 0), column: max(numbers[1] - 1, 0)))
    )
  }

  private func operatingSystemCommand(isFinal: Bool) -> (Item?, Int)? {
    for index in pending.indices.dropFirst(2) {
      let endsHere = pending[index] == 0x07
      let endsWithNext =
        pending[index] == Self.escape && index + 1 < pending.count && pending[index + 1] == 0x5C
      guard endsHere || endsWithNext else { continue }
      let text = String(decoding: pending[2..<index], as: UTF8.self)
      let reply = Self.background(text).map { Item.reply(.background($0)) }
      return (reply, index + (endsHere ? 1 : 2))
    }
    return pending.count > Self.limit || isFinal ? (nil, pending.count) : nil
  }

  /// Reads `11;rgb:1a1a/2020/3030`, with one to four digits a channel.
  private static func background(_ text: String) -> RGB? {
    guard text.hasPrefix("11;rgb:") else { return nil }
    let channels = text.dropFirst(7).split(separator: "/").compactMap { part -> UInt8? in
      guard (1...4).contains(part.count), let value = UInt32(part, radix: 16) else { return nil }
      let most = UInt32(1) << (4 * UInt32(part.count)) - 1
      return UInt8(value * 255 / most)
    }
    return channels.count == 3 ? RGB(channels[0], channels[1], channels[2]) : nil
  }

  // MARK: Pasting

  /// Takes pasted bytes up to the end of the paste, and returns whether that was there.
  private mutating func continuePaste(isFinal: Bool, into items: inout [Item]) -> Bool {
    let end = Array("\u{1B}[201~".utf8)
    var index = 0
    while index < pending.count {
      if pending[index] == Self.escape {
        let rest = pending[index...].prefix(end.count)
        if rest.elementsEqual(end) { break }
        if end.starts(with: rest), !isFinal { break }
      }
      pasted?.append(pending[index])
      index += 1
    }
    let isComplete = pending[index...].starts(with: end)
    pending.removeFirst(index + (isComplete ? end.count : 0))
    guard isComplete || isFinal else { return false }
    let text = String(decoding: pasted ?? [], as: UTF8.self)
    pasted = nil
    items.append(.input(.paste(String(text.filter { !$0.isControl }))))
    return true
  }
}

extension InputParser.Item {
  fileprivate static func key(_ key: Key) -> Self { .input(.key(key)) }
}

extension Character {
  fileprivate var isControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

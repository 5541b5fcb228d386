import PlatTree

/// Returns a line after a key or a paste.
internal func edited(_ text: String, _ input: InputEvent) -> String {
  String(decoding: edited(Array(text.utf8), input), as: UTF8.self)
}

/// Returns a line that may hold names which are no text, after a key or a paste.
internal func edited(_ line: [UInt8], _ input: InputEvent) -> [UInt8] {
  let separators = " /".utf8
  switch input {
  case .key(.character(let character)): return line + character.utf8
  case .key(.backspace): return Array(line.dropLast(lengthOfLastCharacter(of: line)))
  case .key(.control("u")): return []
  case .key(.control("w")):
    let rest = line.reversed().drop { separators.contains($0) }.drop { !separators.contains($0) }
    return rest.reversed()
  case .paste(let pasted): return line + pasted.utf8
  default: return line
  }
}

/// Returns how many bytes the last character takes: one that is no text is a character of its own.
private func lengthOfLastCharacter(of line: [UInt8]) -> Int {
  // A character is made of few scalars; what is before them need not be text.
  var start = line.count
  while start > 0, line.count - start < 128 {
    let length = (1...min(4, start)).first { length in
      String(validating: line[(start - length)..<start], as: UTF8.self)?.unicodeScalars.count == 1
    }
    guard let length else { break }
    start -= length
  }
  let text = String(decoding: line[start...], as: UTF8.self)
  return text.last?.utf8.count ?? min(line.count, 1)
}

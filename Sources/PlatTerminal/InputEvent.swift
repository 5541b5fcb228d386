/// Something that a person does at a terminal.
package enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Text that was pasted, without control characters.
  case paste(String)
}

/// A key, or a key with Ctrl held.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// A letter with Ctrl held, in lower case.
  case control(Character)
  case enter, tab, backTab, backspace, delete, escape
  case up, down, left, right, home, end, pageUp, pageDown
}

/// A click, a release, or a turn of the wheel, at a place counted from 0.
package struct MouseEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case press, secondaryPress, release, drag
    case wheelUp, wheelDown
  }

  package var kind: Kind
  package var row: Int
  package var column: Int
}

/// Something that a terminal answers when it is asked.
internal enum TerminalReply: Hashable, Sendable {
  /// Where its cursor is, from 0: all that was sent before has been shown.
  case cursor(row: Int, column: Int)
  /// The colour of its ground.
  case background(RGB)
  /// What it is able to do, which every terminal answers.
  case attributes
}

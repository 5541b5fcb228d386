import PlatTree
import Testing

struct ColumnWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｶ", 1), ("Ａ", 2), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👩🏽\u{200D}💻", 2), ("🇸🇪", 2), ("❤", 1),
    ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("…█▌", 3), ("①", 1), ("\u{FFFD}", 1),
    ("𠀀", 2), ("שלום", 4), ("\n", 0),
  ])
  func `Wide characters take two columns, and marks none`(text: String, columns: Int) {
    #expect(ColumnWidth.of(text) == columns)
  }

  @Test(arguments: [
    ("libpython3.11.so.1.0", 18, "libpython3.1…o.1.0"), ("abc", 3, "abc"), ("abcd", 3, "ab…"),
    ("abcd", 1, "…"), ("abcd", 0, ""), ("abcd", -5, ""), ("日本語日本語", 7, "日本…語"),
    ("日本語日本語", 6, "日本…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
  ])
  func `The middle is left out, and no character is split`(
    text: String,
    columns: Int,
    result: String
  ) {
    #expect(ColumnWidth.truncatingMiddle(of: text, to: columns) == result)
  }

  @Test func `Truncated text fits at every width`() {
    let text = "a日e\u{301}😀👩🏽\u{200D}💻b🇸🇪c/日本語/한국.txt"
    for columns in 0...40 {
      for ellipsis in ["…", "~"] {
        let result = ColumnWidth.truncatingMiddle(of: text, to: columns, ellipsis: ellipsis)
        #expect(ColumnWidth.of(result) <= columns)
        #expect(ColumnWidth.of(result) >= min(columns, ColumnWidth.of(text)) - 2)
      }
    }
  }
}

import Testing

@testable import PlatTerminal

struct ScreenLayoutTests {
  @Test(arguments: [
    (120, 36, 55, 57..<120), (160, 45, 74, 76..<160), (80, 24, 40, 42..<80), (72, 12, 40, 42..<72),
  ])
  func `A wide window has a list and a map`(columns: Int, rows: Int, list: Int, map: Range<Int>) {
    let layout = ScreenLayout(columns: columns, rows: rows)
    #expect(layout.list?.width == list)
    #expect(layout.mapColumns == map)
  }

  @Test func `A narrow window has one of the two`() {
    let list = ScreenLayout(columns: 40, rows: 20)
    #expect(list.list?.width == 39 && list.mapColumns == nil)
    let map = ScreenLayout(columns: 40, rows: 20, showsMapAlone: true)
    #expect(map.list == nil && map.mapColumns == 0..<40)
  }

  @Test(
    arguments: [
      (4, nil, nil, nil, nil), (5, nil, nil, nil, 4), (8, nil, 1, nil, 7), (14, nil, 1, 12, 13),
      (30, 1, 2, 28, 29),
    ] as [(Int, Int?, Int?, Int?, Int?)]
  )
  func `Lines come with the height of the window`(
    rows: Int,
    rule: Int?,
    head: Int?,
    detail: Int?,
    keys: Int?
  ) {
    let layout = ScreenLayout(columns: 80, rows: rows)
    #expect(layout.ruleRow == rule)
    #expect(layout.headRow == head)
    #expect(layout.detailRow == detail)
    #expect(layout.keyRow == keys)
    #expect(layout.body.upperBound == (detail ?? keys ?? rows))
  }

  @Test func `In every window the columns of the list add up, and names keep ten`() {
    for columns in 20...220 {
      for rows in 4...60 {
        let layout = ScreenLayout(columns: columns, rows: rows)
        guard let list = layout.list else {
          Issue.record("a window of \(columns)x\(rows) has no list")
          continue
        }
        let parts = [list.bar, list.share, list.size, list.items, list.age].filter { $0 > 0 }
        let width = parts.reduce(2 + list.name) { $0 + $1 + 1 }
        if layout.isTooSmall || layout.body.isEmpty || list.name < 10 || width != list.width {
          Issue.record("\(columns)x\(rows): \(layout)")
        }
      }
    }
    #expect(ScreenLayout(columns: 19, rows: 30).isTooSmall)
    #expect(ScreenLayout(columns: 80, rows: 3).isTooSmall)
  }
}

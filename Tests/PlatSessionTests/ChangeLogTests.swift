import PlatTree
import Testing

@testable import PlatSession

struct ChangeLogTests {
  @Test func `Changes to a tree that is not shown any more are of no use`() throws {
    let tree = Sample("/srv", [Sample("a")]).makeTree()
    let changes = TreeChanges(unchanged: tree)
    var log = ChangeLog()
    log.add(nil, to: 1)
    log.add(ChangeLog.Step(from: 1, changes: changes), to: 2)
    log.add(ChangeLog.Step(from: 2, changes: changes), to: 3)
    #expect(log.changes(since: 1) == changes)

    // Compared with the tree before the one that is shown.
    log.add(ChangeLog.Step(from: 2, changes: changes), to: 4)
    for revision in 1...3 { #expect(log.changes(since: revision) == nil) }
    log.add(ChangeLog.Step(from: 4, changes: changes), to: 5)
    #expect(log.changes(since: 4) == changes)
    log.add(ChangeLog.Step(from: 5, changes: changes), to: nil)
    #expect(log.changes(since: 4) == nil)
  }
}

import PlatSession
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct TaskSlotTests {
  @Test func `Equal work is not started again, running or done`() async {
    let slot = TaskSlot<String, Int>()
    let gate = Gate<Void>()

    #expect(
      slot.start(id: "a") { _ in
        await gate.wait()
        return 1
      }
    )
    #expect(!slot.start(id: "a") { _ in 2 })
    gate.open(())
    #expect(await slot.output() == 1)
    #expect(!slot.start(id: "a") { _ in 3 })
    #expect(await slot.output() == 1)
  }

  @Test func `Of work that is replaced three times in a row, only the last is current`() async {
    let slot = TaskSlot<Int, Void>()
    let gate = Gate<Void>()
    var current: [Int] = []

    for id in 1...3 {
      slot.start(id: id) { turn in
        await gate.wait()
        if slot.isCurrent(turn) { current.append(id) }
      }
    }
    gate.open(())
    await slot.cancel()

    #expect(current == [])
    slot.start(id: 4) { turn in
      if slot.isCurrent(turn) { current.append(4) }
    }
    await slot.output()
    #expect(current == [4])
  }

  @Test func `Work that is replaced is cancelled`() async {
    let slot = TaskSlot<Int, Void>()
    let cancelled = Gate<Bool>()
    let (ends, end) = AsyncStream<Void>.makeStream()

    slot.start(id: 1) { _ in
      for await _ in ends {}
      cancelled.open(Task.isCancelled)
    }
    slot.start(id: 2) { _ in }
    await slot.output()
    end.yield(())

    #expect(await cancelled.wait())
  }

  @Test func `Cancelling waits for all work, also for what was replaced before`() async {
    let slot = TaskSlot<Int, Void>()
    let gates = [Gate<Void>(), Gate<Void>()]
    var ended: Set<Int> = []
    for id in gates.indices {
      slot.start(id: id) { _ in
        await gates[id].wait()
        ended.insert(id)
      }
    }

    var hasReturned = false
    let cancelling = Task {
      await slot.cancel()
      hasReturned = true
    }
    gates[1].open(())
    while ended.isEmpty { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(!hasReturned)
    gates[0].open(())
    await cancelling.value
    #expect(ended == [0, 1])
  }

  @Test func `Who waits for the output gets that of the newest work`() async {
    let slot = TaskSlot<String, String>()
    let gates = ["a": Gate<Void>(), "b": Gate<Void>()]
    func start(_ id: String) {
      slot.start(id: id) { _ in
        await gates[id]?.wait()
        return id
      }
    }

    #expect(await slot.output() == nil)
    start("a")
    let output = Task { await slot.output() }
    await Task.yield()
    start("b")
    gates["a"]?.open(())
    gates["b"]?.open(())

    #expect(await output.value == "b")
  }
}

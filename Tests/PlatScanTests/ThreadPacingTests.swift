import CPlatSystem
import Glibc
import PlatTestSupport
import Testing

@testable import PlatScan

struct ThreadPacingTests {
  @Test func `A scan begins with a thread a processor`() {
    #expect(ThreadPacing(wanted: nil, limit: 16, processors: 4).threads == 4)
    #expect(ThreadPacing(wanted: nil, limit: 2, processors: 4).threads == 2)
  }

  @Test func `Threads that wait more than they run are doubled, up to the limit`() {
    var pacing = ThreadPacing(wanted: nil, limit: 7, processors: 2)
    pacing.update(.init(cpu: 0.05), wall: 0.1)
    #expect(pacing.threads == 4)
    pacing.update(.init(cpu: 0.1), wall: 0.2)
    #expect(pacing.threads == 7)
    pacing.update(.init(cpu: 0.15), wall: 0.3)
    #expect(pacing.threads == 7)
  }

  @Test func `Threads that keep the processors busy stay as they are`() {
    var pacing = ThreadPacing(wanted: nil, limit: 16, processors: 2)
    pacing.update(.init(cpu: 0.19), wall: 0.1)
    pacing.update(.init(cpu: 0.36), wall: 0.2)
    #expect(pacing.threads == 2)
    // What was before does not count any more.
    pacing.update(.init(cpu: 0.40), wall: 0.3)
    #expect(pacing.threads == 4)
  }

  @Test func `Threads that wake together, and have to take turns, still wait for the disk`() {
    var pacing = ThreadPacing(wanted: nil, limit: 16, processors: 2)
    pacing.update(.init(cpu: 0.08, delay: 0.01), wall: 0.1)
    #expect(pacing.threads == 4)
    pacing.update(.init(cpu: 0.20, delay: 0.06), wall: 0.2)
    #expect(pacing.threads == 8)
    // The processors have no more to give.
    pacing.update(.init(cpu: 0.36, delay: 0.36), wall: 0.3)
    #expect(pacing.threads == 8)
  }

  @Test func `Threads that others keep from running are not joined by more`() {
    var pacing = ThreadPacing(wanted: nil, limit: 16, processors: 2)
    pacing.update(.init(cpu: 0.02, delay: 0.15), wall: 0.1)
    #expect(pacing.threads == 2)
    // They wait for the disk as well, and do so more.
    pacing.update(.init(cpu: 0.04, delay: 0.20), wall: 0.2)
    #expect(pacing.threads == 4)
  }

  @Test func `Threads are no more than twice the processors while others have these`() {
    // Each thread gets a tenth of a processor, and reads from memory.
    var pacing = ThreadPacing(wanted: nil, limit: 16, processors: 2)
    var usage = ThreadPacing.Usage()
    // What a thread waits just now is told when it runs again.
    for (round, lateness) in [0.09, 0.01, 0.05, 0, 0.06, 0.02].enumerated() {
      let threads = Double(pacing.threads)
      usage.cpu += threads * 0.01
      usage.delay += threads * (0.09 - lateness)
      pacing.update(usage, wall: 0.1 * Double(round + 1))
    }
    #expect(pacing.threads <= 4)
  }

  @Test func `The delay of a thread is the second number that the kernel tells`() {
    func delay(_ text: String) -> Double { ThreadPacing.Usage.delay(in: Array(text.utf8)) }
    #expect(delay("93265164 1500000000 21\n") == 1.5)
    #expect(delay("0 0 0\n") == 0)
    #expect(delay("") == 0)
    #expect(delay("1 x 2\n") == 0)
    #expect(ThreadPacing.Usage.ofProcess(waiting: [plat_thread_id(), 0]).cpu > 0)
  }

  @Test func `Processors that taskset withholds do not count`() throws {
    let all = try run(["nproc"]).output
    #expect("\(usableProcessors())\n" == String(decoding: all, as: UTF8.self))
    // Glibc declares it only with _GNU_SOURCE.
    typealias SetAffinity = @convention(c) (CInt, Int, UnsafeRawPointer) -> CInt
    let setAffinity = unsafeBitCast(
      try #require(dlsym(nil, "sched_setaffinity")),
      to: SetAffinity.self
    )
    // The limit is one of a thread, and goes with it.
    let count = Locked<Int?>(nil)
    let isStarted = startThread {
      let first: [UInt64] = [1]
      let isLimited = setAffinity(0, 8, first) == 0
      count.withLock { $0 = isLimited ? usableProcessors() : -1 }
      count.notifyAll()
    }
    try #require(isStarted)
    #expect(count.wait { $0 } == 1)
  }

  @Test func `A number that was asked for stays`() {
    var pacing = ThreadPacing(wanted: 1, limit: 16, processors: 8)
    pacing.update(.init(cpu: 0), wall: 1)
    #expect(pacing.threads == 1)
  }
}

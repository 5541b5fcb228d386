import Glibc
import Testing

@testable import PlatScan

struct ThreadTests {
  @Test(arguments: [nil, 7, 19])
  func `A thread that stands back, and those that it starts, leave the processors to others`(
    niceValue: Int?
  ) async {
    let which = __priority_which_t(PRIO_PROCESS.rawValue)
    let usual = Int(getpriority(which, 0))
    let found = await withCheckedContinuation { continuation in
      let isStarted = startThread(niceValue: niceValue) {
        let isInnerStarted = startThread {
          continuation.resume(returning: Int(getpriority(which, 0)))
        }
        if !isInnerStarted { continuation.resume(returning: -100) }
      }
      if !isStarted { continuation.resume(returning: -100) }
    }
    #expect(found == max(usual, niceValue ?? usual))
    #expect(Int(getpriority(which, 0)) == usual)
  }
}

import PlatTestSupport
import PlatTree
import Testing

struct NameOrderTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var names: [[UInt8]]
  }

  static let cases: [Case] = {
    func prefixes(_ unit: UInt8) -> [[UInt8]] { (1...40).map { Array(repeating: unit, count: $0) } }
    let long = [UInt8](repeating: 0x61, count: 1000)
    return [
      Case(testDescription: "none", names: []),
      Case(testDescription: "one", names: [[0x61]]),
      Case(testDescription: "each the start of the next", names: prefixes(0x61)),
      Case(testDescription: "each the start of the one before", names: prefixes(0xff).reversed()),
      Case(
        testDescription: "the lowest byte, and lengths around eight",
        names: (1...20).flatMap { count -> [[UInt8]] in
          let base = [UInt8](repeating: 1, count: count)
          return [base + [2], base, base + [1, 2]]
        }
      ),
      Case(
        testDescription: "long common starts",
        names: (1...255).map { long + [UInt8(256 - $0)] } + [long]
      ),
      Case(
        testDescription: "groups that differ after 8, 16 and 24 bytes",
        names: (0..<300).map { number in
          (0..<4).flatMap { group -> [UInt8] in
            let digit = UInt8(1 + (number >> (2 * (3 - group))) % 4)
            return Array(repeating: 0x30, count: 7) + [digit]
          }
        }.reversed()
      ),
      Case(testDescription: "many equal ones", names: (0..<500).map { [UInt8(1 + $0 % 7)] }),
      Case(
        testDescription: "equal ones of eight bytes and more",
        names: (0..<60).map { Array(repeating: 9, count: 7 + $0 % 3) }
      ),
    ]
  }()

  @Test(arguments: cases)
  func `Hard cases are sorted bytewise and without duplicates`(example: Case) {
    var order = NameOrder()
    check(example.names, &order)
    check(example.names.reversed(), &order)
    check(example.names.sorted { $0.lexicographicallyPrecedes($1) }, &order)
  }

  @Test(arguments: 0..<60)
  func `Random names are sorted bytewise and without duplicates`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    var order = NameOrder()
    for count in [1, 2, 15, 16, 17, 33, 250] {
      // Few letters and short names make many duplicates; a long base makes many common starts.
      let letters = [2, 4, 255][seed % 3]
      let base = [UInt8](repeating: 0x2d, count: [0, 6, 7, 8, 9, 30][seed % 6])
      let names = (0..<count).map { _ in
        base
          + (0..<Int.random(in: 1...12, using: &generator)).map { _ in
            UInt8.random(in: 1...UInt8(letters), using: &generator)
          }
      }
      check(names, &order)
    }
  }

  /// Compares with the standard sort: of equal names the first one stays.
  private func check(_ names: [[UInt8]], _ order: inout NameOrder) {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    for name in names {
      ranges.append(bytes.count..<bytes.count + name.count)
      // Names are followed by something else, which must not be compared.
      bytes.append(contentsOf: name + [0xee])
    }
    order.sort(names.count, names: bytes.span) { ranges[$0] }
    var seen: Set<[UInt8]> = []
    let expected = names.indices.filter { seen.insert(names[$0]).inserted }
      .sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    #expect(order.positions == expected)
  }
}

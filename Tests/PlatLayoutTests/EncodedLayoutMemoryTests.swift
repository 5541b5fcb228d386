import PlatLayout
import Testing

struct EncodedLayoutMemoryTests {
  @Test(arguments: StableRowsTests.seeds)
  func `A memory is read as it was written, with and without identities`(seed: UInt64) throws {
    for versions in [0, 2] {
      let (series, tree) = StableRowsTests.series(seed, versions: versions)
      let memory = try #require(series.memory)
      let picture = try #require(series.picture)
      let encoded = EncodedLayoutMemory(memory, kept: picture.drawn.kept)
      let read = try #require(EncodedLayoutMemory(encoded.bytes))
      #expect(read == encoded)
      #expect(read.memory == memory)

      // The tree has the identities, once it is selected as it was then.
      let short = try #require(EncodedLayoutMemory(encoded.withoutIdentities.bytes))
      #expect(short.memory == nil || memory.cellCount == 0)
      let drawn = tree.draw(in: series.bounds, keeping: KeptNodes(short))
      #expect(short.memory(drawn.tree, identities: drawn.identities) == memory)
    }
  }

  @Test func `Rows take less than two bytes a rectangle without identities`() throws {
    let tree = GrowingTree(try RealTreeTests.tree("venv"))
    var series = PictureSeries(in: StableRowsTests.bounds)
    _ = series.advance(tree)
    let memory = try #require(series.memory)
    let encoded = EncodedLayoutMemory(memory, kept: KeptNodes(nil))
    #expect(encoded.withoutIdentities.bytes.count < 2 * memory.cellCount)
  }

  @Test func `A tree that does not fit has no memory of another`() throws {
    let (series, _) = StableRowsTests.series(3, versions: 1)
    let short = EncodedLayoutMemory(try #require(series.memory), kept: KeptNodes(nil))
      .withoutIdentities
    let drawn = StableRowsTests.tree(4).0.draw(in: series.bounds)
    #expect(short.memory(drawn.tree, identities: drawn.identities) == nil)
  }

  @Test(arguments: 0..<300)
  func `Damaged bytes are no memory, or one that does no harm`(seed: Int) throws {
    let (series, tree) = StableRowsTests.series(7, versions: 1)
    var bytes = EncodedLayoutMemory(try #require(series.memory), kept: KeptNodes(nil)).bytes
    var generator = SplitMix64(seed: UInt64(seed))
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      // Most of the damage to the part that has a structure.
      let end = Bool.random(using: &generator) ? min(bytes.count, 80) : bytes.count
      let place = Int.random(in: 0..<end, using: &generator)
      bytes[place] = UInt8.random(in: 0...255, using: &generator)
    }
    if Bool.random(using: &generator) {
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
    }
    let memory = EncodedLayoutMemory(bytes)?.memory
    let drawn = tree.draw(in: series.bounds, keeping: KeptNodes(memory))
    let layout = series.treemap.layout(
      drawn.tree,
      identities: drawn.identities,
      in: series.bounds,
      remembering: memory
    )
    for node in 0..<drawn.tree.count {
      let children = drawn.tree.children(of: node).filter { drawn.tree.total(of: $0) > 0 }
      if !children.isEmpty {
        #expect(layout.contents[node].isTiled(by: children.map { layout.rects[$0] }))
      }
    }
  }

  @Test(arguments: [0, -1, 1e-300, 1e300, .infinity, .nan, .greatestFiniteMagnitude])
  func `A memory of a picture that there cannot be is none`(side: Double) throws {
    let (series, _) = StableRowsTests.series(1, versions: 0)
    let bytes = EncodedLayoutMemory(try #require(series.memory), kept: KeptNodes(nil)).bytes
    // After the version and the fingerprint: the width, and then the height.
    for start in [9, 17] {
      var changed = bytes
      for byte in 0..<8 {
        changed[start + byte] = UInt8(truncatingIfNeeded: side.bitPattern >> UInt64(8 * byte))
      }
      #expect(EncodedLayoutMemory(changed) == nil)
    }
  }

  @Test func `Bytes of a version to come are no memory`() throws {
    let (series, _) = StableRowsTests.series(1, versions: 0)
    var bytes = EncodedLayoutMemory(try #require(series.memory), kept: KeptNodes(nil)).bytes
    bytes[0] = 2
    #expect(EncodedLayoutMemory(bytes) == nil)
    #expect(EncodedLayoutMemory([]) == nil)
  }
}

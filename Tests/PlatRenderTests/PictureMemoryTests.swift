import PlatLayout
import PlatTree
import Testing

@testable import PlatRender

struct PictureMemoryTests {
  /// A tree of 2,400 files, or the same with some changes.
  static func tree(_ version: Int) -> FileTree {
    var generator = SplitMix64(state: 11)
    var changes = SplitMix64(state: UInt64(version))
    return makeTree(
      (0..<24).map { directory in
        .directory(
          "directory-\(directory)",
          (0..<100).compactMap { file in
            let rank = Double.random(in: 0...1, using: &generator)
            var size = 4_000 / (rank + 0.01)
            if version > 0 {
              if Int.random(in: 0..<100, using: &changes) == 0 { return nil }
              if Int.random(in: 0..<20, using: &changes) == 0 { size *= 1.3 }
            }
            return .file("file-\(file).c", size: UInt64(size))
          }
        )
      }
    )
  }

  static let old = tree(0)
  static let new = tree(1)

  static func selection(
    _ tree: FileTree,
    threshold: UInt64,
    _ memory: PictureMemory?,
    from top: DirectoryID? = nil
  ) -> Selection {
    Selector(
      tree,
      top: top ?? tree.root,
      measure: .allocated,
      threshold: threshold,
      depthLimit: .max,
      classes: FileClasses(.type, now: 0),
      kept: KeptNodes(memory?.layout),
      opening: memory?.layout
    ).select()
  }

  @Test func `A picture is the same whether its memory is of itself or read from bytes`() throws {
    let first = PictureMemory(of: Self.old, after: nil)
    let second = PictureMemory(of: Self.new, after: first)
    let read = try #require(PictureMemory(second.bytes, of: nil))
    let short = PictureMemory.shortened(second.bytes)
    #expect(short.count < second.bytes.count / 3)
    #expect(PictureMemory(short, of: nil) == nil)
    let restored = try #require(PictureMemory(short, of: Self.new))
    #expect(read.layout == second.layout)
    #expect(restored.layout == second.layout)
    #expect(restored.bytes == second.bytes)

    let picture = try TreemapRenderer(memory: second).svg(of: Self.new)
    #expect(try TreemapRenderer(memory: restored).svg(of: Self.new) == picture)
  }

  @Test func `The next memory depends on the one before, and on nothing that was drawn`() throws {
    let first = PictureMemory(of: Self.old, after: nil)
    _ = try TreemapRenderer(memory: first).png(of: Self.old)
    let short = PictureMemory.shortened(first.bytes)
    let second = PictureMemory(of: Self.new, after: PictureMemory(short, of: Self.old))
    #expect(second.bytes == PictureMemory(of: Self.new, after: first).bytes)
    #expect(second.bytes != PictureMemory(of: Self.new, after: nil).bytes)
  }

  @Test func `The memory of a tree that has not changed is that of before`() {
    let first = PictureMemory(of: Self.old, after: nil)
    let second = PictureMemory(of: Self.new, after: first)
    #expect(PictureMemory(of: Self.new, after: second).bytes == second.bytes)
    #expect(PictureMemory(of: Self.old, after: second).bytes != second.bytes)
  }

  @Test func `The memory of a first snapshot draws what no memory draws`() throws {
    let memory = PictureMemory(of: Self.old, after: nil)
    let picture = try TreemapRenderer().png(of: Self.old)
    #expect(try TreemapRenderer(memory: memory).png(of: Self.old) == picture)
  }

  @Test func `Bytes that are no memory are none`() {
    #expect(PictureMemory([], of: Self.old) == nil)
    #expect(PictureMemory([9, 9, 9], of: Self.old) == nil)
    let memory = PictureMemory(of: Self.old, after: nil)
    let short = PictureMemory.shortened(memory.bytes)
    #expect(PictureMemory(short, of: smallTree) == nil)
    #expect(PictureMemory.shortened(short) == short)
  }

  @Test func `What was in a group and is large enough in a larger picture stays in its place`() {
    var generator = SplitMix64(state: 5)
    let tree = makeTree(
      (0..<20).map { directory in
        .directory(
          "directory-\(directory)",
          (0..<200).map { file in
            let rank = Double.random(in: 0...1, using: &generator)
            return .file("file-\(file)", size: UInt64(1_000 / (rank * rank + 0.0005)))
          }
        )
      }
    )
    let memory = PictureMemory(of: tree, after: nil)
    let selection = Self.selection(tree, threshold: 2_048, memory)
    let fresh = Self.selection(tree, threshold: 2_048, nil)
    let opened = selection.nodes.indices.filter { selection.nodes[$0].kind == .openedGroup }
    #expect(!opened.isEmpty)
    let layout = selection.layoutTree
    for node in opened {
      let children = layout.children(of: node)
      #expect(children.allSatisfy { selection.nodes[$0].parent == node })
      #expect(selection.nodes[children].contains { $0.kind == .file })
      #expect(selection.nodes[children].allSatisfy { $0.depth == selection.nodes[node].depth + 1 })
    }
    #expect(layout.total(of: 0) == fresh.layoutTree.total(of: 0))
    #expect(selection.drawnFiles == fresh.drawnFiles)
    #expect(
      Set(selection.nodes.indices.map(selection.path)) == Set(fresh.nodes.indices.map(fresh.path))
    )
  }

  @Test func `A part of a tree is arranged as in the whole`() throws {
    let memory = PictureMemory(of: Self.old, after: nil)
    let top = try #require(Self.old.directory(atPath: "/srv/directory-3".utf8))
    let part = Self.selection(Self.old, threshold: 1, memory, from: top)
    let whole = Self.selection(Self.old, threshold: 1, memory)
    let identities = Set(whole.identities.entries)
    #expect(part.identities.entries.allSatisfy(identities.contains))
  }

  @Test func `Names of directories that hold one directory each are known by the first`() {
    let tree = makeTree([.directory("a", [.directory("b", [.file("c", size: 5_000)])])])
    let selection = Self.selection(tree, threshold: 1, nil)
    let a = UInt64.rootIdentity.child("a".utf8)
    let b = a.child("b".utf8)
    #expect(selection.identities.entries == [.rootIdentity, a, b.child("c".utf8)])
    #expect(selection.identities.parents == [.rootIdentity, b, b.child("c".utf8)])
  }

  @Test func `A memory is of all rectangles below the top`() {
    let files = (1...7).map { TestEntry.file("\($0)", size: 1_000_000) }
    let tree = makeTree([.directory("a", files), .file("b", size: 0)])
    #expect(PictureMemory(of: tree, after: nil).tileCount == 8)
  }

  @Test func `A file a little too small is drawn if it was before`() {
    let before = makeTree([.file("a", size: 900_000_000), .file("b", size: 20_000)])
    let after = makeTree([.file("a", size: 900_000_000), .file("b", size: 12_000)])
    func names(_ tree: FileTree, _ memory: LayoutMemory?) -> [String] {
      let selection = Selector(
        tree,
        top: tree.root,
        measure: .apparent,
        threshold: 15_000,
        depthLimit: .max,
        classes: FileClasses(.type, now: 0),
        kept: KeptNodes(memory)
      ).select()
      return selection.nodes.indices.map {
        String(decoding: selection.name(of: $0), as: UTF8.self)
      }
    }
    #expect(names(before, nil) == ["", "a", "b"])
    #expect(names(after, nil) == ["", "a", ""])
    let tree = LayoutTree(weights: [0, 2, 1], childCounts: [2, 0, 0])
    let root = UInt64.rootIdentity
    let entries = [root, root.child("a".utf8), root.child("b".utf8)]
    let identities = NodeIdentities(entries: entries, parents: entries)
    let layout = NestedTreemap().layout(tree, in: Rect(width: 100, height: 100))
    let memory = NestedTreemap().memory(of: layout, tree, identities: identities)
    #expect(names(after, memory) == ["", "a", "b"])
    let tiny = makeTree([.file("a", size: 900_000_000), .file("b", size: 10_000)])
    #expect(names(tiny, memory) == ["", "a", ""])
  }
}

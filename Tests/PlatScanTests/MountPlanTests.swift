import PlatTree
import Testing

@testable import PlatScan

struct MountPlanTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var mounts: [String]
    var roots = ["/t"]
    /// What is left out, with the reason, when mounts are crossed.
    var crossing: [String: Exclusion.Reason] = [:]
    /// What is left out when they are not.
    var keeping: [String: Exclusion.Reason] = [:]
  }

  private static let base = "1 0 8:1 / / rw - ext4 /dev/a rw"

  static let cases = [
    Case(testDescription: "no mounts", mounts: [base]),
    Case(
      testDescription: "another file system",
      mounts: [base, "2 1 0:9 / /t/m rw - tmpfs x rw", "3 1 0:9 / /elsewhere rw - tmpfs x rw"],
      keeping: ["/t/m": .otherFileSystem]
    ),
    Case(
      testDescription: "the root is a mount point itself",
      mounts: [base, "2 1 0:9 / /t rw - tmpfs x rw"]
    ),
    Case(
      testDescription: "kernel file systems and automounts",
      mounts: [
        base, "2 1 0:5 / /t/proc rw - proc x rw", "3 1 0:6 / /t/auto rw - autofs x rw",
        "4 2 0:7 / /t/proc/sys/fs/binfmt_misc rw - binfmt_misc x rw",
      ],
      crossing: [
        "/t/proc": .kernelFileSystem, "/t/auto": .kernelFileSystem,
        "/t/proc/sys/fs/binfmt_misc": .kernelFileSystem,
      ],
      keeping: [
        "/t/proc": .kernelFileSystem, "/t/auto": .kernelFileSystem,
        "/t/proc/sys/fs/binfmt_misc": .kernelFileSystem,
      ]
    ),
    Case(
      testDescription: "an automount that has mounted something",
      mounts: [base, "2 1 0:6 / /t/auto rw - autofs x rw", "3 2 0:8 / /t/auto rw - nfs x rw"],
      keeping: ["/t/auto": .otherFileSystem]
    ),
    Case(
      testDescription: "a sibling mounted beside the original",
      mounts: [base, "2 1 8:1 /t/real /t/view rw - ext4 /dev/a rw"],
      crossing: ["/t/view": .countedElsewhere],
      keeping: ["/t/view": .otherFileSystem]
    ),
    Case(
      testDescription: "a directory mounted inside itself",
      mounts: [base, "2 1 8:1 /t/a /t/a/b/c rw - ext4 /dev/a rw"],
      crossing: ["/t/a/b/c": .countedElsewhere],
      keeping: ["/t/a/b/c": .otherFileSystem]
    ),
    Case(
      testDescription: "something from outside the root, twice",
      mounts: [
        base, "2 1 8:1 /else/where /t/b rw - ext4 /dev/a rw",
        "3 1 8:1 /else/where /t/a/deep rw - ext4 /dev/a rw",
      ],
      crossing: ["/t/a/deep": .countedElsewhere],
      keeping: ["/t/b": .otherFileSystem, "/t/a/deep": .otherFileSystem]
    ),
    Case(
      testDescription: "a part of what is mounted from outside",
      mounts: [
        base, "2 1 8:1 /else /t/whole rw - ext4 /dev/a rw",
        "3 1 8:1 /else/where /t/a rw - ext4 /dev/a rw",
      ],
      crossing: ["/t/a": .countedElsewhere],
      keeping: ["/t/whole": .otherFileSystem, "/t/a": .otherFileSystem]
    ),
    Case(
      testDescription: "the original is hidden by another mount",
      mounts: [
        base, "2 1 8:1 /t/real /t/view rw - ext4 /dev/a rw", "3 1 0:9 / /t/real rw - tmpfs x rw",
      ],
      keeping: ["/t/real": .otherFileSystem, "/t/view": .otherFileSystem]
    ),
    Case(
      testDescription: "a mount that is hidden by a later one above it",
      mounts: [
        base, "2 1 8:1 /t/real /t/m/view rw - ext4 /dev/a rw", "3 1 0:9 / /t/m rw - tmpfs x rw",
      ],
      keeping: ["/t/m": .otherFileSystem]
    ),
    Case(
      testDescription: "the root directory mounted below itself",
      mounts: [base, "2 1 8:1 / /t/all rw - ext4 /dev/a rw"],
      crossing: ["/t/all/t": .countedElsewhere],
      keeping: ["/t/all": .otherFileSystem]
    ),
    Case(
      testDescription: "two roots, one seen through the other",
      mounts: [base, "2 1 8:1 /t/a /v rw - ext4 /dev/a rw"],
      roots: ["/t", "/v"],
      crossing: ["/t/a": .countedElsewhere],
      keeping: ["/t/a": .countedElsewhere]
    ),
    Case(
      testDescription: "two roots, one mounted in the other",
      mounts: [base, "2 1 8:1 /v /t/m rw - ext4 /dev/a rw"],
      roots: ["/t", "/v"],
      crossing: ["/t/m": .countedElsewhere],
      keeping: ["/t/m": .otherFileSystem]
    ),
    Case(
      testDescription: "a root inside a root on a file system of its own",
      mounts: [base, "2 1 0:9 / /t/m rw - tmpfs x rw"],
      roots: ["/t", "/t/m"],
      crossing: [:],
      keeping: ["/t/m": .otherFileSystem]
    ),
    Case(
      testDescription: "a name that starts like the root",
      mounts: [base, "2 1 0:9 / /tt rw - tmpfs x rw", "3 1 0:5 / /tt/proc rw - proc x rw"]
    ),
  ]

  @Test(arguments: cases)
  func `Mounts are crossed, left out, or counted elsewhere`(example: Case) {
    #expect(exclusions(example, crosses: true) == example.crossing)
    #expect(exclusions(example, crosses: false) == example.keeping)
  }

  @Test func `Nothing matters below a root without mounts`() {
    let table = MountTable(parsing: Self.base.utf8)
    let plan = MountPlan(roots: [Array("/t".utf8)], table: table, crossesFileSystems: true)
    #expect(plan.rootPlaces == [nil])
  }

  @Test func `A mount point is marked, and the way to it is not`() throws {
    let text = [Self.base, "2 1 0:9 / /t/a/m rw - tmpfs x rw"].joined(separator: "\n")
    let plan = MountPlan(
      roots: [Array("/t".utf8)],
      table: MountTable(parsing: text.utf8),
      crossesFileSystems: true
    )
    let place = try #require(plan.rootPlaces[0])
    let way = try #require(plan[place].children[Array("a".utf8)])
    let mount = try #require(plan[way].children[Array("m".utf8)])
    #expect(!plan[way].isMountPoint)
    #expect(plan[mount].isMountPoint)
    #expect(plan[mount].children.isEmpty)
  }

  private func exclusions(_ example: Case, crosses: Bool) -> [String: Exclusion.Reason] {
    let plan = MountPlan(
      roots: example.roots.map { Array($0.utf8) },
      table: MountTable(parsing: example.mounts.joined(separator: "\n").utf8),
      crossesFileSystems: crosses
    )
    var found: [String: Exclusion.Reason] = [:]
    func collect(_ place: Int, _ path: String) {
      if let reason = plan[place].exclusion { found[path] = reason }
      for (name, child) in plan[place].children {
        collect(child, path + "/" + String(decoding: name, as: UTF8.self))
      }
    }
    for (root, place) in zip(example.roots, plan.rootPlaces) {
      if let place { collect(place, root) }
    }
    return found
  }
}

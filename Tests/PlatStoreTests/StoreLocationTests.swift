import Foundation
import PlatStore
import Testing

struct StoreLocationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var userID: UInt32 = 1000
    var environment: [String: String]
    var folder: String
  }

  static let cases = [
    Case(
      testDescription: "XDG_STATE_HOME",
      environment: ["XDG_STATE_HOME": "/state", "HOME": "/home/a"],
      folder: "/state/plat/roots"
    ),
    Case(
      testDescription: "XDG_STATE_HOME with a slash at the end, and root",
      userID: 0,
      environment: ["XDG_STATE_HOME": "/state/", "HOME": "/root"],
      folder: "/state/plat/roots"
    ),
    Case(
      testDescription: "no XDG_STATE_HOME",
      environment: ["HOME": "/home/a"],
      folder: "/home/a/.local/state/plat/roots"
    ),
    Case(
      testDescription: "a relative XDG_STATE_HOME",
      environment: ["XDG_STATE_HOME": "state", "HOME": "/home/a"],
      folder: "/home/a/.local/state/plat/roots"
    ),
    Case(
      testDescription: "an empty XDG_STATE_HOME",
      environment: ["XDG_STATE_HOME": "", "HOME": "/home/a"],
      folder: "/home/a/.local/state/plat/roots"
    ),
    Case(
      testDescription: "root",
      userID: 0,
      environment: ["HOME": "/root"],
      folder: "/var/lib/plat/roots"
    ),
  ]

  private func location(
    _ environment: [String: String] = [:],
    database: String? = nil,
    userID: UInt32 = 1000
  ) throws -> StoreLocation {
    try StoreLocation(database: database.map { Array($0.utf8) }, userID: userID) { name in
      environment[name].map { Array($0.utf8) }
    }
  }

  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: cases)
  func `The environment says where snapshots are`(example: Case) throws {
    let location = try location(example.environment, userID: example.userID)
    let path = try #require(text(location.database(forRoot: Array("/srv/my data".utf8))))
    #expect(path.hasPrefix(example.folder + "/my_data-"))
    #expect(path.hasSuffix(".plat"))
  }

  @Test func `Without HOME the password database is asked`() throws {
    let path = try #require(text(location(userID: 1).database(forRoot: Array("/srv".utf8))))
    #expect(path.contains("/.local/state/plat/roots/srv-"))
    let error = #expect(throws: StoreError.noPlace) { try location(userID: 54_321) }
    #expect(
      error?.description
        == """
        no place for snapshots: XDG_STATE_HOME and HOME are not set \
        (name a file with --database)
        """
    )
  }

  @Test(arguments: [
    // The hashes come from an implementation in Python, `h = (h ^ b) * 0x100000001b3 % 2**64`.
    ("/", "root-af63a24c860189fe.plat"),
    ("/srv", "srv-9bef649c5c9d7b6b.plat"),
    ("/home/a/.cache", "_cache-85a27218c90cc9a6.plat"),
    ("/srv/ä b/-x", "_x-41eba54c8dd3b15f.plat"),
  ])
  func `A file has a name for people and a hash for roots`(root: String, name: String) throws {
    let path = try text(location(["HOME": "/h"]).database(forRoot: Array(root.utf8)))
    #expect(path == "/h/.local/state/plat/roots/" + name)
  }

  @Test func `The nearest root above a directory answers for it`() throws {
    try withTemporaryFolder { folder in
      let location = try location(database: folder.path)
      func make(_ root: String) throws -> [UInt8] {
        let path = location.database(forRoot: Array(root.utf8))
        try Data().write(to: URL(fileURLWithPath: String(decoding: path, as: UTF8.self)))
        return path
      }
      func found(_ path: String) -> [UInt8]? {
        location.existingDatabase(holding: Array(path.utf8))
      }
      #expect(found("/srv/a/b") == nil)
      let srv = try make("/srv")
      #expect(found("/srv/a/b") == srv)
      #expect(found("/srv/") == srv)
      #expect(found("/srvx") == nil)
      let inner = try make("/srv/a")
      #expect(found("/srv//a/b/") == inner)
      #expect(found("/srv/b") == srv)
      let top = try make("/")
      #expect(found("/home") == top)
      #expect(found("/") == top)
    }
  }

  @Test func `An explicit file is for every root`() throws {
    try withTemporaryFolder { folder in
      let location = try location(database: folder.path + "/one.plat")
      #expect(text(location.database(forRoot: [47])) == folder.path + "/one.plat")
      #expect(location.existingDatabase(holding: [47]) == nil)
      try Data().write(to: folder.appendingPathComponent("one.plat"))
      #expect(text(location.existingDatabase(holding: [47])) == folder.path + "/one.plat")
    }
  }

  @Test func `What ends in a slash is a folder, and made when it is needed`() throws {
    try withTemporaryFolder { folder in
      let path = folder.path + "/new/deep/"
      let location = try location(database: path)
      #expect(location.existingDatabase(holding: [47]) == nil)
      #expect(location.database(forRoot: [47]).starts(with: path.utf8))
      #expect(!FileManager.default.fileExists(atPath: path))
      try location.makeFolder()
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func `The folder is made for its owner only`() throws {
    try withTemporaryFolder { folder in
      let location = try location(["XDG_STATE_HOME": folder.path + "/new"])
      try location.makeFolder()
      try location.makeFolder()
      for path in ["/new", "/new/plat", "/new/plat/roots"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
      }
    }
  }

  @Test func `A folder that cannot be made is an error that names it`() throws {
    try withTemporaryFolder { folder in
      try Data().write(to: folder.appendingPathComponent("file"))
      let location = try location(["XDG_STATE_HOME": folder.path + "/file"])
      let error = #expect(throws: StoreError.self) { try location.makeFolder() }
      #expect(error?.description == "\(folder.path)/file/plat: mkdir: Not a directory")
    }
  }
}

/// What a test reads of `plat/scan/1`.
struct ScanAnswer: Decodable {
  struct Issue: Decodable {
    var path: String
    var call: String
    var errno: Int32
    var reason: String
  }

  struct Snapshot: Decodable {
    var id: Int
    var database: String
    var unverifiedFiles: Int
  }

  struct Unverified: Decodable {
    var files: Int
    var allocatedSize: UInt64
    var oldestObservedAt: String?
    var oldestScans: Int?
    var sampledFiles: Int
    var sampledChanges: Int
    var sampledGrowth: Int64
  }

  struct Top: Decodable {
    var path: String
    var allocatedSize: UInt64
  }

  var roots: [String]
  var level: String
  var unverified: Unverified?
  var apparentSize: UInt64
  var allocatedSize: UInt64
  var files: Int
  var directories: Int
  var symbolicLinks: Int
  var others: Int
  var entries: Int
  var hardLinkedNames: Int
  var excluded: Int
  var issueCount: Int
  var issues: [Issue]
  var snapshot: Snapshot?
  var top: [Top]
}

/// What a test reads of `plat/query/list/1` and `plat/query/top/1`.
struct QueryAnswer: Decodable {
  struct Snapshot: Decodable {
    var id: Int
  }

  struct Directory: Decodable {
    var path: String
    var apparentSize: UInt64
    var allocatedSize: UInt64
    var files: Int
    var directories: Int
    var symbolicLinks: Int
    var others: Int
    var issueCount: Int
  }

  struct Row: Decodable {
    var path: String
    var name: String
    var nameBase64: String?
    var kind: String
    var apparentSize: UInt64
    var allocatedSize: UInt64
    var share: Double
    var countedElsewhere: Bool?
  }

  var snapshot: Snapshot
  var directory: Directory
  var rows: [Row]
}

/// What a test reads of `plat/snapshots/list/1`.
struct SnapshotsAnswer: Decodable {
  struct Snapshot: Decodable {
    var id: Int
    var allocatedSize: UInt64
  }

  var root: String
  var database: String
  var snapshots: [Snapshot]
}

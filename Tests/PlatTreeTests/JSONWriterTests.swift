import Foundation
import PlatTestSupport
import PlatTree
import Testing

struct JSONWriterTests {
  /// Returns what a writer writes.
  private func document(
    layout: JSONWriter.Layout = .line,
    _ body: (JSONWriter) -> Void
  ) -> String {
    var bytes: [UInt8] = []
    let json = JSONWriter(layout: layout) { bytes += $0 }
    body(json)
    json.finish()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `Members stand in the order of the calls`() {
    let text = document(layout: .rows) { json in
      json.object {
        json.member("schema", "plat/scan/1")
        json.member("seconds", 1.02)
        json.member("complete", true)
        json.member("size", UInt64.max)
        json.member("change", Int64.min)
        json.member("id", Int?.none)
        json.member("rate", Double.infinity)
        json.time("at", secondsSince1970: 0)
        json.array("roots") {
          json.element("/srv")
          json.element(1)
        }
        json.array("none") {}
        json.object("empty") {}
        json.array("rows") {
          json.object { json.name("path", [0x61, 0xFF]) }
          json.object { json.name("path", "b".utf8) }
          json.array { json.element(false) }
        }
      }
    }
    #expect(
      text == """
        {"schema":"plat/scan/1","seconds":1.02,"complete":true,"size":18446744073709551615,\
        "change":-9223372036854775808,"id":null,"rate":null,"at":"1970-01-01T00:00:00Z",\
        "roots":["/srv",1],"none":[],"empty":{},"rows":[
        {"path":"a\u{FFFD}","path_base64":"Yf8="},
        {"path":"b"},[false]]}

        """
    )
  }

  @Test func `A stream has one document a line`() {
    var text = ""
    let json = JSONWriter(layout: .line) { text += String(decoding: $0, as: UTF8.self) }
    for number in 1...2 {
      json.array { json.object { json.member("files", number) } }
      json.finish()
    }
    #expect(text == "[{\"files\":1}]\n[{\"files\":2}]\n")
  }

  @Test func `What a terminal must not see is escaped`() {
    let text = document { $0.element("a\"\\\n\r\t\u{1B}\u{7F}\u{9B}\u{202E}\u{E0041}é😀/") }
    #expect(
      text == #""a\"\\\n\r\t\u001b\u007f\u009b\u202e\udb40\udc41é😀/""# + "\n"
    )
  }

  @Test func `Any bytes make valid JSON that gives them back`() throws {
    var generator = SplitMix64(seed: 4)
    var names: [[UInt8]] = (0...255).map { [$0] }
    for _ in 0..<3_000 {
      let length = Int.random(in: 0...40, using: &generator)
      let limit: UInt8 = Bool.random(using: &generator) ? 0x7F : 0xFF
      names.append((0..<length).map { _ in UInt8.random(in: 0...limit, using: &generator) })
    }
    let text = document(layout: .rows) { json in
      json.array {
        for name in names { json.object { json.name("name", name) } }
      }
    }
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let rows = try #require(parsed as? [[String: String]])
    #expect(rows.count == names.count)
    for (row, name) in zip(rows, names) {
      let exact = try row["name_base64"].map { try #require(Data(base64Encoded: $0)) }
      let shown = try #require(row["name"])
      #expect(Array(exact ?? Data(shown.utf8)) == name)
      #expect(shown == String(decoding: name, as: UTF8.self))
    }
  }

  @Test func `A large document is handed over in batches`() {
    var batches = 0
    var length = 0
    let json = JSONWriter {
      batches += 1
      length += $0.count
      #expect($0.count < 40_000)
    }
    json.array { for number in 0..<100_000 { json.element(number) } }
    json.finish()
    #expect(batches > 10)
    #expect(length == 588_892)
  }

  @Test func `An error in the body comes out`() {
    struct Stop: Error {}
    let json = JSONWriter { _ in }
    #expect(throws: Stop.self) {
      try json.object { () throws(Stop) in
        json.member("a", 1)
        throw Stop()
      }
    }
  }

  @Test func `A member outside of an object stops the process`() async {
    await #expect(processExitsWith: .failure) {
      JSONWriter { _ in }.member("a", 1)
    }
  }

  @Test func `A value without a key in an object stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let json = JSONWriter { _ in }
      json.object { json.element(1) }
    }
  }
}

struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `The test vectors of RFC 4648 hold`(text: String, encoded: String) {
    #expect(Base64.encode(text.utf8) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
  }

  @Test func `Foundation reads random bytes back`() {
    var generator = SplitMix64(seed: 5)
    for length in 0..<300 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(Data(base64Encoded: Base64.encode(bytes)) == Data(bytes))
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: [
    "Zg", "Zg=", "Z===", "====", "Zm9=", "Zh==", "Zm 9", "Zm9v\n", "Zm-_", "Zg==Zg==",
  ])
  func `What is no base64 is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}

// swift-tools-version: 6.2

import PackageDescription

func program(_ name: String, _ modules: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: modules.map { .product(name: $0, package: "plat") }
  )
}

let package = Package(
  name: "layouts",
  dependencies: [.package(name: "plat", path: "../..")],
  targets: [
    program("Encoding", ["PlatRender", "PlatScan", "PlatTree"]),
    program("Speed", ["PlatLayout", "PlatRender", "PlatScan", "PlatTree"]),
    program("Stability", ["PlatLayout", "PlatScan", "PlatTree"]),
  ]
)

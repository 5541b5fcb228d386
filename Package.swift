// swift-tools-version: 6.2

import PackageDescription

/// Settings of the modules that call C.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// Settings of the modules that need no unsafe code: the compiler proves that they have none.
let safeSettings = swiftSettings + [.strictMemorySafety()]

func module(
  _ name: String,
  _ dependencies: [Target.Dependency] = [],
  exclude: [String] = [],
  settings: [SwiftSetting] = swiftSettings
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func tests(_ module: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(module)Tests",
    dependencies: [.byName(name: module), "PlatTestSupport"] + dependencies,
    swiftSettings: swiftSettings
  )
}

func systemLibrary(_ name: String, pkgConfig: String, package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
  name: "plat",
  products: [
    .executable(name: "plat", targets: ["plat"]),
    .library(name: "PlatTree", targets: ["PlatTree"]),
    .library(name: "PlatScan", targets: ["PlatScan"]),
    .library(name: "PlatStore", targets: ["PlatStore"]),
    .library(name: "PlatLayout", targets: ["PlatLayout"]),
    .library(name: "PlatRender", targets: ["PlatRender"]),
    .library(name: "PlatSession", targets: ["PlatSession"]),
  ],
  targets: [
    // C
    .target(name: "CPlatSystem"),
    systemLibrary("CPlatSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    systemLibrary("CPlatCairo", pkgConfig: "cairo", package: "libcairo2-dev"),
    systemLibrary("CPlatZlib", pkgConfig: "zlib", package: "zlib1g-dev"),

    // Libraries, each below the ones that follow
    module("PlatTree", settings: safeSettings),
    module("PlatLayout", settings: safeSettings),
    module("PlatScan", ["CPlatSystem", "PlatTree"]),
    module("PlatStore", ["CPlatSQLite", "CPlatSystem", "PlatTree"]),
    module(
      "PlatRender",
      ["CPlatCairo", "CPlatZlib", "PlatLayout", "PlatTree"],
      exclude: ["Page"]  // what Scripts/embed-page makes PageSource.swift of
    ),
    module("PlatSession", ["PlatScan", "PlatStore", "PlatTree"], settings: safeSettings),
    module("PlatTerminal", ["PlatLayout", "PlatScan", "PlatSession", "PlatTree"]),
    module(
      "PlatCommands",
      [
        "CPlatSystem", "PlatRender", "PlatScan", "PlatSession", "PlatStore", "PlatTerminal",
        "PlatTree",
      ]
    ),

    // Programs
    .executableTarget(name: "plat", dependencies: ["PlatCommands"], swiftSettings: swiftSettings),

    // Tests
    .target(
      name: "PlatTestSupport",
      dependencies: ["PlatTree"],
      path: "Tests/PlatTestSupport",
      swiftSettings: swiftSettings
    ),
    tests("PlatTree"),
    tests("PlatLayout"),
    tests("PlatScan", ["CPlatSystem", "PlatTree"]),
    tests("PlatStore", ["PlatTree"]),
    tests("PlatRender", ["CPlatCairo", "PlatLayout", "PlatTree"]),
    tests("PlatSession", ["PlatScan", "PlatStore", "PlatTree"]),
    tests("PlatTerminal", ["PlatLayout", "PlatRender", "PlatScan", "PlatSession", "PlatTree"]),
    tests("PlatCommands", ["PlatStore", "PlatTree"]),
  ]
)

import PlatScan
import PlatTree
import CPlatSystem
import Glibc
let args = CommandLine.arguments
if args.count > 3, args[3] == "m" { _ = plat_limit_malloc() }
var o = DirectoryScanner.Options()
o.threadCount = Int(args[1])
let r = try await DirectoryScanner(options: o).scan(args[2])
let t = r.tree.totals(of: r.tree.root)
print(t, r.elapsed, r.tree.issues.count, r.tree.exclusions.count)
if args.count > 4 { print(r.tree.brokenInvariants()) }

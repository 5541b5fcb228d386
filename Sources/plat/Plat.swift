import PlatCommands

@main
struct Plat {
  static func main() {
    Program.main()
  }
}

import PlatLayout
import Testing

struct CullingRuleTests {
  @Test func `The threshold is the weight that the smallest area stands for`() {
    let bounds = Rect(width: 100, height: 50)
    #expect(CullingRule.nested.threshold(total: 7500, in: bounds) == 28)
    #expect(CullingRule.flat.threshold(total: 7500, in: bounds) == 7.5)
  }

  @Test func `A picture without area has room for nothing`() {
    #expect(CullingRule.nested.threshold(total: 7500, in: .zero) == .infinity)
  }
}

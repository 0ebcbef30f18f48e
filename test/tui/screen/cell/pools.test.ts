import { describe, expect, it } from "vitest"
import { linkTarget } from "../../../../src/tui/screen/cell/link-pool.ts"
import { makePools, POOL_LIMITS, poolSizes, renewPools } from "../../../../src/tui/screen/cell/pools.ts"
import { useWidthProfile } from "../../../../src/tui/screen/cell/width.ts"
import { CONSERVATIVE_PROFILE } from "../../../../src/tui/screen/cell/width-profile.ts"

describe("pools", () => {
  it("give equal things one id", () => {
    const { glyphs, styles, links } = makePools()
    expect(glyphs.intern("漢")).toBe(glyphs.intern("漢"))
    expect(glyphs.internUnit(0x61)).toBe(glyphs.intern("a"))
    expect(styles.intern({ bold: true, foreground: 3 })).toBe(styles.intern({ foreground: 3, bold: true }))
    expect(styles.intern({ underline: "curly" })).not.toBe(styles.intern({ underline: "single" }))
    expect(links.intern("https://a.example")).toBe(links.intern("https://a.example"))
  })

  it("stay until one of them is past its limit", () => {
    const pools = makePools()
    for (let count = poolSizes(pools).links; count < POOL_LIMITS.links; count++) {
      pools.links.intern(`https://a.example/${count}`)
    }
    expect(poolSizes(pools).links).toBe(POOL_LIMITS.links)
    expect(renewPools(pools)).toBe(pools)
    pools.links.intern("https://one.too.many")
    const next = renewPools(pools)
    expect(next.generation).toBe(pools.generation + 1)
    expect(poolSizes(next).links).toBeLessThan(10)
  })

  it("never give an id that a cell has no room for", () => {
    const { glyphs, styles } = makePools()
    let highest = 0
    for (let code = 0; code < 140_000; code++) highest = Math.max(highest, glyphs.intern(`a\u0301${code}`))
    expect(highest).toBeLessThan(1 << 17)
    for (let colour = 0; colour < 40_000; colour++) styles.intern({ foreground: 0x1000000 | colour })
    expect(styles.size()).toBeLessThanOrEqual(1 << 15)
  })

  it("begin anew when the widths change", () => {
    const pools = makePools()
    useWidthProfile({ ...CONSERVATIVE_PROFILE, ambiguousWide: true })
    const wide = renewPools(pools)
    useWidthProfile(CONSERVATIVE_PROFILE)
    expect(wide).not.toBe(pools)
    expect([pools, wide].map(({ glyphs }) => glyphs.widthOf(glyphs.intern("→")))).toEqual([1, 2])
  })

  it("keep a heap of marks short", () => {
    const { glyphs } = makePools()
    expect(glyphs.textOf(glyphs.intern(`e${"\u0301".repeat(500)}`)).length).toBe(32)
  })
})

describe("a link target", () => {
  it.each([
    ["https://a.example/x?y=z#w", "https://a.example/x?y=z#w"],
    ["mailto:a@b.example", "mailto:a@b.example"],
    ["file:///home/x/a b", "file:///home/x/a%20b"],
    ["https://a.example/\u001B]8;;\u0007", "https://a.example/%1B]8;;%07"],
    ["javascript:alert(1)", undefined],
    ["file://server/share", undefined],
    ["file:////server/share", undefined],
    ["//server/share", undefined],
    ["https://", undefined],
    [`https://a.example/${"x".repeat(3_000)}`, undefined],
    ["https://a.example/\uD800", undefined]
  ])("%j is %j", (target, expected) => expect(linkTarget(target)).toBe(expected))
})

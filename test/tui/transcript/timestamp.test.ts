import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isoFromMillis } from "../../../src/core/domain/time.ts"
import { clockText, millisOf } from "../../../src/tui/transcript/timestamp.ts"

describe("instants", () => {
  it("reads what records write", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (millis) => {
        expect(millisOf(isoFromMillis(millis))).toBe(millis)
      })
    )
  })

  it.each([
    ["", "2026-03-02"],
    ["yesterday", "x"],
    ["2026-03-02T09:00:01", ""]
  ])("knows no instant in %j", (text) => {
    expect(millisOf(text)).toBeUndefined()
  })

  it("shows the time of day at an offset", () => {
    const millis = millisOf("2026-03-02T23:30:00.000Z") ?? 0
    expect(clockText(millis, 0)).toBe("23:30")
    expect(clockText(millis, 3_600_000)).toBe("00:30")
  })
})

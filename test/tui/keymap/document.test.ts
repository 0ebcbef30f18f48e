import { describe, expect, it } from "vitest"
import { keysDocument } from "../../../scripts/keys-document.ts"

describe("docs/KEYS.md", () => {
  it("says what the key tables say", async () => {
    await expect(keysDocument()).toMatchFileSnapshot("../../../docs/KEYS.md")
  })
})

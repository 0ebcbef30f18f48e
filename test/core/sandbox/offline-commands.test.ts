import { describe, expect, it } from "vitest"
import { isNetworkless } from "../../../src/core/sandbox/offline-commands.ts"

describe("commands that talk to nobody", () => {
  it.each(["ls -l", "mkdir a && touch a/b", "grep -rn x src | head", "echo hi > a; cat a", "find . -name x", "/bin/ls"])(
    "%s",
    (command) => {
      expect(isNetworkless(command)).toBe(true)
    }
  )

  it.each([
    "",
    "npm test",
    "ls; curl x",
    "git status",
    "find . -exec curl {} +",
    "echo $(curl x)",
    "xargs curl",
    "node a.js",
    "./ls2",
    "cat <<x\ny\nx"
  ])("not %j", (command) => {
    expect(isNetworkless(command)).toBe(false)
  })
})

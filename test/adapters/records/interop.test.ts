import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import type * as Sdk from "@anthropic-ai/claude-agent-sdk"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readRow } from "../../../src/adapters/records/list.ts"
import type { Entry } from "../../../src/core/session/load/transcript-index.ts"
import { projectSlug } from "../../../src/core/session/slug.ts"
import { selectConversation } from "../../../src/core/session/load/conversation-lines.ts"
import { ledgerOf, SESSION } from "../../support/session/build.ts"
import { fixtureLines, fixtureNames, fixtureText } from "../../support/session/fixtures.ts"
import { histories, play } from "../../support/session/histories.ts"

const root = realpathSync(mkdtempSync(path.join(tmpdir(), "nacre-interop-")))
const cwd = path.join(root, "orchard")
const projects = path.join(root, "home", "projects", projectSlug(cwd))
/** The Agent SDK reads transcripts by Claude Code's own rules; what it sees is what the other tool would resume. */
let sdk: typeof Sdk

beforeAll(async () => {
  mkdirSync(cwd, { recursive: true })
  mkdirSync(projects, { recursive: true })
  process.env["CLAUDE_CONFIG_DIR"] = path.join(root, "home")
  sdk = await import("@anthropic-ai/claude-agent-sdk")
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = (sessionId: string): string => path.join(projects, `${sessionId}.jsonl`)

const seenBySdk = async (sessionId: string): Promise<ReadonlyArray<string>> => {
  const messages = await sdk.getSessionMessages(sessionId, { dir: cwd })
  return messages.map((message) => message.uuid)
}

/** The SDK shows what was said, not the notes between. */
const said = (lines: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  lines.filter(({ links }) => links.type === "user" || links.type === "assistant").map(({ links }) => links.uuid)

describe("the other tool's reader", () => {
  it("sees our conversations as we do", async () => {
    await fc.assert(
      fc.asyncProperty(histories({ branches: true }), async (history) => {
        const { lines } = play(history)
        writeFileSync(place(SESSION), lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
        expect(await seenBySdk(SESSION)).toEqual(said(selectConversation(ledgerOf(lines)).lines))
      }),
      { numRuns: 100 }
    )
  })

  it("sees its own conversations as we do, or less of them where the chain is broken", async () => {
    const less: Array<string> = []
    for (const name of fixtureNames) {
      const sessionId = /"sessionId":"([^"]+)"/.exec(fixtureText(name))?.[1] ?? ""
      writeFileSync(place(sessionId), fixtureText(name).replaceAll("/home/ada/orchard", cwd))
      const ours = said(selectConversation(ledgerOf(fixtureLines(name))).lines)
      const theirs = await seenBySdk(sessionId)
      expect(ours.slice(-theirs.length)).toEqual(theirs)
      if (theirs.length < ours.length) less.push(name)
    }
    expect(less).toEqual(["broken-parent", "unknown-and-torn"])
  })
})

describe("lists", () => {
  it("name a session as the other tool does", async () => {
    for (const name of ["plain", "parallel", "unknown-and-torn", "bypass"]) {
      const sessionId = /"sessionId":"([^"]+)"/.exec(fixtureText(name))?.[1] ?? ""
      writeFileSync(place(sessionId), fixtureText(name).replaceAll("/home/ada/orchard", cwd))
      const theirs = await sdk.getSessionInfo(sessionId, { dir: cwd })
      const size = theirs?.fileSize ?? 0
      const ours = await readRow({ path: place(sessionId), sessionId, size, modifiedMs: 0 })
      const { summary, firstPrompt, cwd: directory, gitBranch } = theirs ?? {}
      expect(ours).toMatchObject({ summary, firstPrompt, cwd: directory, gitBranch })
      expect(ours.tag ?? undefined).toBe(theirs?.tag)
    }
  })
})

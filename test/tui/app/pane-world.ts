import { PROJECT_DIR } from "../../support/loop-fixture.ts"
import { OTHER_SESSION, SESSION, TuiWorld } from "../../support/tui-world.ts"
import { bash, grep, read } from "../../core/loop/response-plan.ts"
import type { Script } from "../../core/loop/script.ts"

/** Conversations for the keys of the panes: short, and with something in every pane. */

export const ANSWER =
  "see src/lines.ts:12 and https://example.org/doc for the needle\n\nanother paragraph\n\n```ts\nconst x = 1\n```"

const conversation = (script: Script): void => {
  script.begin("first needle")
  script.respond({ text: ANSWER, calls: [read("r1"), grep("g1")] })
  script.runCalls("r1", "g1")
  script.respond({ text: "done with the first" })
  script.begin("second prompt")
  script.respond({ text: "short answer with a needle" })
}

export interface PaneWorld {
  readonly world: TuiWorld
  readonly script: Script
}

export const paneWorld = (columns = 120, rows = 40, options: ConstructorParameters<typeof TuiWorld>[0] = {}): PaneWorld => {
  const world = new TuiWorld({ ...options, size: { columns, rows } })
  const script = world.open()
  conversation(script)
  world.wait(5_000)
  return { world, script }
}

/** Two sessions, the other one in use. */
export const twoSessions = (columns = 120, rows = 40): PaneWorld & { readonly other: Script } => {
  const { world, script } = paneWorld(columns, rows)
  const other = world.open(OTHER_SESSION)
  return { world, script, other }
}

/** A command that waits for permission. */
export const askIn = (script: Script, id: string, command: string): void => {
  script.begin(`run ${command}`)
  script.respond({ calls: [bash(id, command)] })
  script.prepare(id)
}

/** The working tree with two changed files of one and two hunks. */
export const withChanges = (world: TuiWorld): void => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
  const changed = lines.with(4, "line five").with(30, "line thirty-one")
  world.tell({
    _tag: "DiffLoaded",
    session: SESSION,
    files: [
      { path: `${PROJECT_DIR}/a.txt`, state: "M", before: "one\ntwo\n", after: "one\n2\n" },
      { path: `${PROJECT_DIR}/b.txt`, state: "M", before: `${lines.join("\n")}\n`, after: `${changed.join("\n")}\n` }
    ]
  })
}

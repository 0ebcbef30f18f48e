import { burstFrom } from "./bursts/burst.ts"
import { scriptFrom } from "./grammar.ts"
import { roundFrom } from "./rounds/round.ts"
import { sessionFrom } from "./sessions/session.ts"
import type { Suite } from "./suite.ts"

/** Single commands in any order, compared at the end. */
export const SCRIPTS: Suite = { name: "scripts", scriptFrom, scripts: { fixed: 300, fresh: 30, soak: 3_000 }, shares: 4 }

/** Editing as people do it, compared after every command. */
export const SESSIONS: Suite = {
  name: "sessions",
  scriptFrom: sessionFrom,
  scripts: { fixed: 300, fresh: 30, soak: 3_000 },
  shares: 2
}

/** Few keys on dense texts, single keys in any order among them, compared at the end. */
export const BURSTS: Suite = {
  name: "bursts",
  scriptFrom: burstFrom,
  scripts: { fixed: 300, fresh: 30, soak: 3_000 },
  shares: 1
}

/** Changes and what looks back at them: repeats, undo, marks, selections again, ranges; compared after every command. */
export const ROUNDS: Suite = {
  name: "rounds",
  scriptFrom: roundFrom,
  scripts: { fixed: 300, fresh: 30, soak: 3_000 },
  shares: 1
}

import type { Decision } from "../../../core/permission/verdict.ts"
import { describeUpdate, type PermissionUpdate } from "../../../core/permission/configuration/update.ts"

/** Where an answer that is to be remembered goes, and how that is said. */
export const DESTINATIONS = ["session", "localSettings", "projectSettings", "userSettings"] as const
export type SaveDestination = (typeof DESTINATIONS)[number]

const WORDS: Readonly<Record<SaveDestination, string>> = {
  session: "in this session",
  localSettings: "in this project",
  projectSettings: "in this project, for everyone",
  userSettings: "in all your projects"
}

/** A mode counts for the session only; rules and directories can be kept in a file. */
const canMove = ({ type }: PermissionUpdate): boolean => type !== "setMode"

export const isMovable = (updates: ReadonlyArray<PermissionUpdate>): boolean => updates.some(canMove)

/** Where the updates would go; what a host alone may write counts as the session. */
export const destinationOf = (updates: ReadonlyArray<PermissionUpdate>): SaveDestination =>
  DESTINATIONS.find((destination) => updates.some((update) => canMove(update) && update.destination === destination)) ??
  "session"

export const sentTo = (
  updates: ReadonlyArray<PermissionUpdate>,
  destination: SaveDestination
): ReadonlyArray<PermissionUpdate> => updates.map((update) => (canMove(update) ? { ...update, destination } : update))

export const nextDestination = (current: SaveDestination): SaveDestination =>
  DESTINATIONS[(DESTINATIONS.indexOf(current) + 1) % DESTINATIONS.length] ?? "session"

/** The answer that allows the call, as the user reads it. */
export const describeYes = ({ reason }: Decision): string =>
  reason.type === "sandboxOverride" ? "Yes, outside the sandbox" : "Yes"

/** What a yes to it means. */
const allowed = (update: PermissionUpdate): string => {
  if (update.type === "setMode" && update.mode === "acceptEdits") return "allow all edits"
  const words = describeUpdate(update)
  return update.type === "addRules" ? words.replace(/^allow /, "") : words
}

/** The answer that remembers, as the user reads it. */
export const describeSaving = (updates: ReadonlyArray<PermissionUpdate>): string => {
  if (!isMovable(updates)) return `Yes, ${updates.map(allowed).join(", ")} this session`
  const groups = DESTINATIONS.flatMap((destination) => {
    const here = updates.filter((update) => placeOf(update) === destination)
    return here.length === 0 ? [] : [`${WORDS[destination]}: ${here.map(allowed).join(", ")}`]
  })
  return `Yes, always ${groups.toReversed().join("; ")}`
}

/** What a host alone may write, and a mode, counts for the session. */
const placeOf = (update: PermissionUpdate): SaveDestination =>
  DESTINATIONS.find((destination) => canMove(update) && update.destination === destination) ?? "session"

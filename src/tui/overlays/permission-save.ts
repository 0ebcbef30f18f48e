import { describeUpdate, type PermissionUpdate } from "../../core/permission/update.ts"

/** Where an answer that is to be remembered goes, and how that is said. */
export const DESTINATIONS = ["session", "localSettings", "projectSettings", "userSettings"] as const
export type SaveDestination = (typeof DESTINATIONS)[number]

const WORDS: Readonly<Record<SaveDestination, string>> = {
  session: "in this session",
  localSettings: "in this project",
  projectSettings: "in this project, for everybody",
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

/** The answer that remembers, as a person reads it. */
export const describeSaving = (updates: ReadonlyArray<PermissionUpdate>): string => {
  const what = updates.map(describeUpdate).join(", ")
  return isMovable(updates)
    ? `Yes, and don't ask again ${WORDS[destinationOf(updates)]}: ${what}`
    : `Yes, and for this session ${what}`
}

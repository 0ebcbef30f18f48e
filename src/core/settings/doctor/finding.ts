/** Something that an examination found. Ids are stable, so that scripts can rely on them. */
export interface Finding {
  readonly id: string
  readonly level: "error" | "warning" | "info"
  readonly area: Area
  /** One sentence without a full stop. */
  readonly message: string
  readonly file?: string
  readonly line?: number
  readonly fix?: string
  /** The line of a file with a caret below it; shown, not part of the JSON. */
  readonly excerpt?: string
}

export const AREAS = [
  "installation",
  "settings",
  "rules",
  "environment",
  "trust",
  "instructions",
  "mcp",
  "keybindings",
  "credential",
  "sandbox",
  "tools",
  "files"
] as const

export type Area = (typeof AREAS)[number]

/** What is the case, for people to read: a name and a value. */
export type Facts = Readonly<Record<string, string>>

export interface Examination {
  readonly facts: Facts
  readonly findings: ReadonlyArray<Finding>
}

export const mergeExaminations = (parts: ReadonlyArray<Examination>): Examination => ({
  facts: Object.assign({}, ...parts.map(({ facts }) => facts)) as Facts,
  findings: parts.flatMap(({ findings }) => findings)
})

export const isSound = ({ findings }: Examination): boolean => findings.every(({ level }) => level !== "error")

const LEVELS: ReadonlyArray<Finding["level"]> = ["error", "warning", "info"]

/** By area, the worst first. */
export const inOrder = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  findings.toSorted(
    (left, right) =>
      AREAS.indexOf(left.area) - AREAS.indexOf(right.area) || LEVELS.indexOf(left.level) - LEVELS.indexOf(right.level)
  )

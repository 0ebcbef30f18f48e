import { INTERFACE_KEYS } from "../src/core/settings/keys/interface-keys.ts"
import type { KeyRule } from "../src/core/settings/keys/key-rule.ts"
import { KEYS } from "../src/core/settings/keys/keys.ts"

/** Writes the lower half of docs/SETTINGS.md from the table that the program itself uses. */

const WHERE: Record<KeyRule<unknown>["scope"], string> = {
  A: "any",
  L: "not project",
  U: "user, flag, policy",
  M: "policy",
  G: ".claude.json"
}

type Row = readonly [key: string, rule: KeyRule<unknown>]

const ROWS: ReadonlyArray<Row> = Object.entries(KEYS)

const SECTIONS: ReadonlyArray<readonly [title: string, holds: (row: Row) => boolean]> = [
  ["Interface", ([key]) => key in INTERFACE_KEYS],
  ["Permissions", ([key]) => /^permissions\.|auto-?mode|Permission|^nacre\.(?:secret|bypass|webFetch)/i.test(key)],
  ["Sandbox", ([key]) => /^(?:nacre\.)?sandbox\./.test(key)],
  ["Everything else", () => true]
]

const valuesOf = ({ shape }: KeyRule<unknown>): string =>
  shape.choices?.map((choice) => `\`${choice}\``).join(" ") ?? shape.expected.replaceAll(/\ban? /g, "")

const remarksOf = (rule: KeyRule<unknown>): string => {
  const ladder = typeof rule.merge === "object" ? rule.merge.stricter : []
  const remarks = [
    ...(rule.atStart === true ? ["from the next session on"] : []),
    ...(rule.merge === "replace" ? ["the stronger file's list holds"] : []),
    ...(ladder.length > 1 ? [`the stricter value holds: ${ladder.map((value) => `\`${String(value)}\``).join(" < ")}`] : [])
  ]
  return remarks.length === 0 ? "" : ` (${remarks.join("; ")})`
}

const line = ([key, rule]: Row): string =>
  `| \`${key}\` | ${valuesOf(rule)} | ${rule.help}${remarksOf(rule)} | ${WHERE[rule.scope]} |`

const section = (title: string, rows: ReadonlyArray<Row>): string =>
  [`## ${title}`, "", "| key | value | what it does | files |", "| --- | --- | --- | --- |", ...rows.map(line), ""].join(
    "\n"
  )

const isUsed = ([, rule]: Row): boolean => rule.unused !== true

const unused = (): string =>
  [
    "## Known, without effect in this version",
    "",
    "Nacre checks and keeps these, so that a file can be shared with programs that use them.",
    "",
    `${ROWS.filter((row) => !isUsed(row))
      .map(([key]) => `\`${key}\``)
      .join(", ")}.`,
    ""
  ].join("\n")

export const settingsTables = (): string => {
  const home = (row: Row): string => SECTIONS.find(([, holds]) => holds(row))?.[0] ?? ""
  const used = ROWS.filter(isUsed)
  const sections = SECTIONS.map(([title]) =>
    section(
      title,
      used.filter((row) => home(row) === title)
    )
  )
  return [...sections, unused()].join("\n")
}

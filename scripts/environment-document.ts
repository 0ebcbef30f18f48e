import { namesOf, type Variable, VARIABLE_GROUPS } from "../src/core/settings/variables.ts"

/** Writes the lower half of docs/ENVIRONMENT.md from the table that `nacre doctor` uses. */

const valueOf = ({ kind, range }: Variable): string => {
  if (kind === "flag") return "switch"
  if (kind === "number" && range !== undefined) return `${range[0]} to ${range[1]}`
  return kind
}

const line = (variable: Variable): string => {
  const own = namesOf(variable).filter((name) => name !== variable.name)
  const names = [variable.name, ...own].map((name) => `\`${name}\``).join(" ")
  return `| ${names} | ${valueOf(variable)} | ${variable.help} |`
}

const table = (variables: ReadonlyArray<Variable>): ReadonlyArray<string> => {
  const used = variables.filter(({ unused }) => unused !== true)
  const names = variables.filter(({ unused }) => unused === true).map(({ name }) => `\`${name}\``)
  if (used.length === 0) return [`${names.join(", ")}.`]
  return ["| variable | value | what it does |", "| --- | --- | --- |", ...used.map(line)]
}

export const environmentTables = (): string =>
  Object.entries<ReadonlyArray<Variable>>(VARIABLE_GROUPS)
    .map(([title, variables]) => [`## ${title}`, "", ...table(variables), ""].join("\n"))
    .join("\n")

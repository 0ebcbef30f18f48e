import { createRequire } from "node:module"
import { summariseBy } from "./measure.mjs"

const canLoad = (cli) => {
  try {
    createRequire(cli)("tree-sitter")
    return true
  } catch {
    return false
  }
}

/**
 * The engines that read shell commands, by what is added to the name of a row: nothing for the one that everybody gets,
 * and the compiled one where it could be installed.
 *
 * @param {import("../run.mjs").Bench} bench
 * @returns {Record<string, { readonly what: string, readonly env: Record<string, string> }>}
 */
export const shellParsers = ({ cli }) => ({
  "": { what: "", env: {} },
  ...(canLoad(cli) ? { "-native": { what: ", compiled shell parser", env: { NACRE_SHELL_PARSER: "native" } } } : {})
})

/** The same work once with each engine, to be measured in turn. Names of the runners are "ours" and what is added. */
export const withEachParser = (parsers, place, work) =>
  Object.fromEntries(
    Object.entries(parsers).map(([suffix, { env }]) => {
      const visited = { ...place, env: { ...place.env, ...env } }
      return [`ours${suffix}`, () => work(visited)]
    })
  )

/** A row for each engine, with the floor that they share. */
export const rowsOfParsers = (parsers, samples, { field, ...row }) =>
  Object.entries(parsers).map(([suffix, { what }]) => ({
    ...row,
    name: `${row.name}${suffix}`,
    what: `${row.what}${what}`,
    ours: summariseBy(samples[`ours${suffix}`], field),
    floor: summariseBy(samples.floor, field)
  }))

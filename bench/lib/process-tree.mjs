import { readdirSync, readFileSync } from "node:fs"

/** Processor time of a process with all its children, also of those that have ended and were waited for. */
const TICKS_PER_MS = 0.1
/** Counted from the field behind the name, which may hold blanks. */
const PARENT = 1
const TIMES = [11, 12, 13, 14]
const OWN_TIMES = [11, 12]

const fieldsOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

const childrenOf = (all, pid) => all.filter(({ fields }) => Number(fields[PARENT]) === pid)

const ticksOf = (all, { pid, fields }) =>
  TIMES.reduce((sum, at) => sum + Number(fields[at]), 0) +
  childrenOf(all, pid).reduce((sum, child) => sum + ticksOf(all, child), 0)

/** Milliseconds so far; the clock ticks every ten. */
export const treeProcessorMs = (pid, { alone = false } = {}) => {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), fields: fieldsOf(name) }))
    .filter(({ fields }) => fields !== undefined)
  const root = all.find((each) => each.pid === pid)
  if (root === undefined) return 0
  const ticks = alone ? OWN_TIMES.reduce((sum, at) => sum + Number(root.fields[at]), 0) : ticksOf(all, root)
  return ticks / TICKS_PER_MS
}

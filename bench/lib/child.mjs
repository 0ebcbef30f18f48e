import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

/** Runs a Node program to its end in a clean place and says how long it took, from outside. */
const USAGE_AT_EXIT = fileURLToPath(new URL("usage-at-exit.cjs", import.meta.url))

/**
 * @typedef {object} Run
 * @property {number} wallMs From before the spawn to the exit.
 * @property {number} firstByteMs From before the spawn to the first byte on stdout.
 * @property {string} stdout
 * @typedef {{ readonly peakMb: number, readonly cpuMs: number }} Usage
 */

/** A run that failed measured something else than it was meant to. */
const requireSuccess = (args, { code, signal }, stderr) => {
  if (code === 0) return
  throw new Error(`${args.join(" ")} ended with ${signal ?? code}: ${stderr.trim().slice(-500)}`)
}

const start = (args, place, stdio) => {
  const from = performance.now()
  const child = spawn(process.execPath, args, { cwd: place.cwd, env: place.env, stdio })
  let firstByteMs = Number.NaN
  child.stdout.once("data", () => (firstByteMs = performance.now() - from))
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", (code, signal) => resolve({ code, signal, wallMs: performance.now() - from }))
  })
  return { child, ended, firstByteMs: () => firstByteMs }
}

/** Reads what is in `input`, or nothing. @returns {Promise<Run>} */
export const run = async (args, place, input) => {
  const stdin = input === undefined ? undefined : openSync(input, "r")
  const { child, ended, firstByteMs } = start(args, place, [stdin ?? "ignore", "pipe", "pipe"])
  if (stdin !== undefined) closeSync(stdin)
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  requireSuccess(args, end, stderr)
  return { wallMs: end.wallMs, firstByteMs: firstByteMs(), stdout }
}

/** The same with what the process used; never timed, because reporting costs a little. @returns {Promise<Usage>} */
export const usageOf = async (args, place) => {
  const stdio = ["ignore", "pipe", "pipe", "pipe"]
  const { child, ended } = start(["--require", USAGE_AT_EXIT, ...args], place, stdio)
  const [stderr, report, end] = await Promise.all([text(child.stderr), text(child.stdio[3]), ended, text(child.stdout)])
  requireSuccess(args, end, stderr)
  return JSON.parse(report)
}

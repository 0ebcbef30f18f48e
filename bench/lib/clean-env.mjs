import { mkdirSync, mkdtempSync } from "node:fs"
import { join } from "node:path"

/**
 * Surroundings of a measured process. Nothing of the caller's environment gets in but what programs need to be found:
 * a certificate file or Node options alone can double the start of Node.
 */
export const PASSED_ON = ["PATH", "SYSTEMROOT"]

/**
 * @typedef {object} Place A home of its own and an empty project to start in.
 * @property {string} home
 * @property {string} config
 * @property {string} cwd
 * @property {Record<string, string>} env
 */

/** @returns {Place} */
export const makePlace = (/** @type {string} */ directory, /** @type {Record<string, string>} */ extra = {}) => {
  const home = mkdtempSync(join(directory, "place-"))
  const config = join(home, "config")
  const cwd = join(home, "project")
  mkdirSync(config, { mode: 0o700 })
  mkdirSync(cwd)
  const passed = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return { home, config, cwd, env: { ...Object.fromEntries(passed), HOME: home, NACRE_CONFIG_DIR: config, ...extra } }
}

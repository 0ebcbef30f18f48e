import { codeOf } from "./error-code.ts"

/** Whether a process runs, also one of somebody else. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === "EPERM"
  }
}

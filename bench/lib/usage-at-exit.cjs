/**
 * Loaded ahead of a measured program: on its way out it writes what it used to file descriptor 3. The peak is the
 * kernel's own high-water mark of this address space, so nothing is missed between two looks; `maxRSS` of
 * `resourceUsage` would also count the parent before the exec and serves only where there is no /proc.
 */
const { readFileSync, writeSync } = require("node:fs")

const peakKilobytes = () => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}

process.on("exit", () => {
  const { system, user } = process.cpuUsage()
  writeSync(3, JSON.stringify({ peakMb: peakKilobytes() / 1024, cpuMs: (user + system) / 1000 }))
})

import { oneLine } from "../../model/request/fence.ts"
import { type ContextSource, type EnvironmentValue, onceInSession } from "./source.ts"

const textOf = ({ cwd, isGitRepo, additionalDirs, platform, osVersion, shell }: EnvironmentValue): string =>
  [
    "# Environment",
    "This is where you work:",
    `- Working directory: ${oneLine(cwd)}`,
    `- Git repository: ${isGitRepo ? "yes" : "no"}`,
    ...(additionalDirs.length === 0 ? [] : [`- Additional working directories: ${additionalDirs.map(oneLine).join(", ")}`]),
    `- Platform: ${oneLine(platform)}`,
    `- Shell: ${oneLine(shell)}`,
    `- OS version: ${oneLine(osVersion)}`
  ].join("\n")

export const environment: ContextSource<"environment"> = {
  wants: onceInSession,
  isStanding: true,
  say: ([item]) =>
    item === undefined ? undefined : { type: "environment", fields: { ...item.value }, words: textOf(item.value) }
}

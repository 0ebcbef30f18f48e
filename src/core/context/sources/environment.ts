import { oneLine } from "../../model/request/fence.ts"
import { type ContextSource, type EnvironmentValue, withEachPrompt } from "./source.ts"

const textOf = (
  { cwd, isGitRepo, additionalDirs, platform, osVersion, shell }: EnvironmentValue,
  isUpdate: boolean
): string =>
  [
    "# Environment",
    isUpdate ? "Where you work has changed:" : "This is where you work:",
    `- Working directory: ${oneLine(cwd)}`,
    `- Git repository: ${isGitRepo ? "yes" : "no"}`,
    ...(additionalDirs.length === 0 ? [] : [`- Additional working directories: ${additionalDirs.map(oneLine).join(", ")}`]),
    `- Platform: ${oneLine(platform)}`,
    `- Shell: ${oneLine(shell)}`,
    `- OS version: ${oneLine(osVersion)}`
  ].join("\n")

export const environment: ContextSource<"environment"> = {
  wants: withEachPrompt,
  isStanding: true,
  say: ([item], isUpdate) =>
    item === undefined ? undefined : { type: "environment", fields: { ...item.value }, words: textOf(item.value, isUpdate) }
}

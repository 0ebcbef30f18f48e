/** What sub-commands of git do with files that nobody names: show what is in them, or put other versions in their place. */

/** Tells about files without showing what is in them. */
const SUMMARY =
  /^(?:-s|--no-patch|--(?:short|num|dir)?stat(?:=.*)?|--name-only|--name-status|--summary|--compact-summary|--raw|--quiet)$/
const PATCH =
  /^(?:-[A-Za-z]*[puUWcL]\S*|--(?:patch|unified|function-context|word-diff|color-words|cc|binary|check)(?:[-=].*)?)$/

/** Show differences unless they are told not to. */
const DIFFERING = new Set(["diff", "show"])
/** Show differences when they are told to. */
const LISTING = new Set(["log", "reflog", "whatchanged", "diff-tree", "diff-index", "diff-files", "rev-list"])
const CARRYING = new Set(["format-patch", "fast-export", "archive", "bundle", "range-diff", "difftool"])

/** Takes away from what is meant. */
export const EXCLUDING = /^:(?:[!^]|\([^)]*exclude)/

const HASH = /^[0-9a-f]{4,64}$/

const readsTree = (name: string, rest: ReadonlyArray<string>, operands: ReadonlyArray<string>): boolean => {
  const hasPatch = rest.some((text) => PATCH.test(text))
  // `HEAD:file` is one file, whatever else is asked for.
  const isNamed = operands.length > 0 && operands.every((text) => text.includes(":") && !EXCLUDING.test(text))
  if (DIFFERING.has(name)) return !isNamed && (hasPatch || !rest.some((text) => SUMMARY.test(text)))
  if (LISTING.has(name)) return hasPatch
  if (name === "stash") return (rest[0] === "show" || rest[0] === "list") && hasPatch
  if (name === "cat-file") {
    return rest.some((text) => text.startsWith("--batch")) || operands.some((text) => HASH.test(text))
  }
  return CARRYING.has(name)
}

const REPLACING = new Set(["merge", "pull", "rebase", "cherry-pick", "revert", "bisect", "sparse-checkout", "filter-branch"])
const STASH_KEEPS = new Set(["list", "show", "drop", "clear", "create", "store"])
/** The next word is the name of a branch that is made. It begins where one is, unless another place is named. */
export const NEW_BRANCH = /^(?:-[bBcC]|--orphan|--create|--force-create)$/
const FORCED = /^(?:-[A-Za-z]*f|--force|--discard-changes)$/

const writesTree = (name: string, rest: ReadonlyArray<string>, operands: ReadonlyArray<string>): boolean => {
  switch (name) {
    case "reset":
      return rest.some((text) => /^--(?:hard|merge|keep)$/.test(text))
    case "checkout":
    case "switch":
      return operands.length > 0 || rest.includes("-") || rest.some((text) => FORCED.test(text))
    case "stash":
      return !STASH_KEEPS.has(rest[0] ?? "push")
    case "read-tree":
      return rest.some((text) => /^(?:-u|--reset)$/.test(text))
    case "checkout-index":
      return rest.some((text) => /^(?:-[A-Za-z]*a|--all|--stdin)$/.test(text))
    default:
      return REPLACING.has(name)
  }
}

/** `operands`: the words that are neither flags nor their values. */
export const treeAccess = (
  name: string,
  rest: ReadonlyArray<string>,
  operands: ReadonlyArray<string>
): "read" | "write" | undefined => {
  if (writesTree(name, rest, operands)) return "write"
  return readsTree(name, rest, operands) ? "read" : undefined
}

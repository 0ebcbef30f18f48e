/** A path as the user sees it, made absolute: they see it relative to the session's directory. */
export const absolutePath = (path: string, cwd: string): string =>
  path.startsWith("/") || path.startsWith("~") || /^[a-z]:[\\/]/i.test(path) ? path : `${cwd}/${path.replace(/^\.\//, "")}`

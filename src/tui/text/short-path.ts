/** A path as a user names it: from the working directory where it lies in it. */
export const shortPath = (path: string, cwd: string): string => {
  if (path === cwd) return "."
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

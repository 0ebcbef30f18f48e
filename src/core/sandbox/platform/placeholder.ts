/**
 * What stands for a moment where nothing may be created. An empty directory: git does not see it, and tools that look
 * for a file of that name find none. Only two must be files, because git insists on reading them: `commondir`, where a
 * dot means the directory it is in, and `config.worktree` of a repository that has such configuration, which is empty.
 */
export type Placeholder = { readonly kind: "directory" } | { readonly kind: "file"; readonly text: string }

export const placeholderFor = (path: string): Placeholder => {
  if (path.endsWith("/commondir")) return { kind: "file", text: ".\n" }
  return path.endsWith("/config.worktree") ? { kind: "file", text: "" } : { kind: "directory" }
}

/** Nobody else makes empty directories without write permission, so one left by a crash is known by it. */
export const PLACEHOLDER_MODE = 0o555

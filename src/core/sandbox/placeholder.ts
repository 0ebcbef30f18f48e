/**
 * What stands for a moment where nothing may be created. An empty directory: git does not see it, and tools that look
 * for a file of that name find none. Only `commondir` must be a file, because git insists on reading it; a dot means
 * the directory it is in.
 */
export type Placeholder =
  | { readonly kind: "directory" }
  | { readonly kind: "file"; readonly text: string }

export const placeholderFor = (path: string): Placeholder =>
  path.endsWith("/commondir") ? { kind: "file", text: ".\n" } : { kind: "directory" }

/** Nobody else makes empty directories without write permission, so one left by a crash is known by it. */
export const PLACEHOLDER_MODE = 0o555

/** What the file system says about a path that something is at. */
export interface Presence {
  /** As it was asked for. */
  readonly path: string
  /** At the end of all links. */
  readonly realPath: string
  readonly kind: "file" | "directory" | "other"
  readonly size: number
  readonly mtimeMs: number
  /** The same for every name of one file. */
  readonly identity: string
  /** User id of the owner. */
  readonly owner: number
}

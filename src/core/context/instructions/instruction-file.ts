/** A file that tells the agent how to work: for everybody, for its user, for a project. */
export type InstructionKind = "managed" | "user" | "project" | "local"

/** Why it was read, in the words that hooks are given. */
export type LoadReason = "session_start" | "nested_traversal" | "path_glob_match" | "include" | "compact"

export interface InstructionFile {
  /** Absolute, as it was found and not where links lead. */
  readonly path: string
  readonly kind: InstructionKind
  /** What the model reads: without front matter and comments that stand alone. */
  readonly text: string
  readonly reason: LoadReason
  /** The file that imports it. */
  readonly parent?: string
  /** The file that was touched when this one came to matter. */
  readonly trigger?: string
  /** Something of the file is not in the text, so it counts as not read. */
  readonly isPartial: boolean
}

/** Whose a file is, for the model. */
export const KIND_LABELS: Readonly<Record<InstructionKind, string>> = {
  managed: "instructions of the organisation",
  user: "the user's own instructions for all projects",
  project: "instructions of the project, shared by everybody who works on it",
  local: "the user's private instructions for this project"
}

import { FileError, type FileErrorKind } from "../../core/ports/Files.ts"

const KINDS: Readonly<Record<string, FileErrorKind>> = {
  ENOENT: "missing",
  EISDIR: "isDirectory",
  ENOTDIR: "notDirectory",
  ENXIO: "notRegular",
  ENODEV: "notRegular",
  EACCES: "denied",
  EPERM: "denied",
  EROFS: "denied",
  ENOSPC: "noSpace",
  EDQUOT: "noSpace",
  EFBIG: "tooLarge",
  ELOOP: "linkChanged"
}

const SENTENCES: Readonly<Record<FileErrorKind, string>> = {
  missing: "does not exist",
  isDirectory: "is a directory",
  notDirectory: "leads through something that is not a directory",
  notRegular: "is not a regular file but a device, pipe or socket",
  denied: "may not be accessed: permission denied",
  tooLarge: "is too large",
  stale: "is not what it was",
  linkChanged: "became a link",
  noSpace: "could not be written: no space left",
  other: "could not be used"
}

/** The system's code of an error, if it has one. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

export const fileError = (kind: FileErrorKind, path: string, detail?: string): FileError =>
  new FileError({ kind, path, message: detail ?? `${path} ${SENTENCES[kind]}` })

/** Any thrown value as a failure of the port. */
export const asFileError = (path: string, error: unknown): FileError => {
  if (error instanceof FileError) return error
  const code = codeOf(error)
  const kind = (code === undefined ? undefined : KINDS[code]) ?? "other"
  const reason = kind === "other" ? `: ${error instanceof Error ? error.message : String(error)}` : ""
  return new FileError({
    kind,
    path,
    message: `${path} ${SENTENCES[kind]}${reason}`,
    ...(code === undefined ? {} : { code })
  })
}

/** The code that the system gave an error, such as ENOENT; empty when it gave none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

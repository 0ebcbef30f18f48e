import { Data } from "effect"

/** Where in a value the trouble is; both count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A command line that cannot be run as it stands. The program prints it on stderr, exits 1 and starts nothing. */
export class UsageError extends Data.TaggedError("UsageError")<{
  readonly what: string
  readonly why: string
  readonly fix: string
  readonly place?: { readonly name: string } & Place
}> {
  override get message(): string {
    const where = this.place === undefined ? "" : ` (${this.place.name}:${this.place.line}:${this.place.column})`
    return `nacre: ${this.what}${where} — ${this.why}. Fix: ${this.fix}`
  }
}

export const USAGE_EXIT_CODE = 1

/** Arguments come from anywhere; what goes to the terminal is one line without controls and of bounded length. */
export const printableArgument = (argument: string): string => {
  const visible = argument.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{fffd}")
  return visible.length <= 60 ? visible : `${visible.slice(0, 57)}...`
}

import { LIMITS } from "../../core/domain/limits.ts"

/** Stands for a line that is too long to be worth showing; both engines print the same. */
export const LONG_LINE = `[line of more than ${LIMITS.grepColumns} bytes, not shown]`

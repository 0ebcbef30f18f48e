import type { JsonScalar } from "../../domain/json/positioned-json.ts"
import { flag, listOf, oneOf, type Shape, text } from "./shape.ts"

/**
 * What is known about one setting, and short ways to say it.
 *
 * Scope: A any file; L every file but the project's shared one; U user, flag and managed; M managed only; G the global
 * configuration, never a settings file.
 */
export type Scope = "A" | "L" | "U" | "M" | "G"

export interface KeyRule<A> {
  readonly scope: Scope
  readonly shape: Shape<A>
  /** One line for people. */
  readonly help: string
  /** How a stronger file's value meets a weaker one's: lists unite and objects merge unless this says otherwise. */
  readonly merge?: "replace" | "concat" | { readonly stricter: ReadonlyArray<JsonScalar> }
  /** The value that a managed file gets when its own cannot be read. */
  readonly strictest?: JsonScalar
  /** Only makes things stricter, whatever its value: holds even from a managed file that anybody could have written. */
  readonly tightens?: true
  /** The only values that a project's files may set; others would loosen what holds without them. */
  readonly fromProject?: ReadonlyArray<JsonScalar>
  /** Read, checked and kept, but nothing acts on it in this version. */
  readonly unused?: true
  /** Read once when a session starts. */
  readonly atStart?: true
}

/** May stand in any file. */
export const anyFileKey = <A>(shape: Shape<A>, help: string): KeyRule<A> => ({ scope: "A", shape, help })

export const limited = <A>(scope: Scope, shape: Shape<A>, help: string): KeyRule<A> => ({ scope, shape, help })

/** Known to the format, without effect in this version. */
export const unusedKey = <A>(shape: Shape<A>, help: string, scope: Scope = "A"): KeyRule<A> => ({
  scope,
  shape,
  help,
  unused: true
})

/** From loose to strict; the stricter of two values holds, whoever set it. */
export const stricter = <A>(rule: KeyRule<A>, ...ladder: ReadonlyArray<JsonScalar>): KeyRule<A> => ({
  ...rule,
  merge: { stricter: ladder }
})

export const texts = listOf(text)

/** Ends in the strict value, for switches that only ever take something away. */
export const lock = (help: string): KeyRule<"disable"> => ({
  ...stricter(anyFileKey(oneOf("disable"), help), "disable"),
  strictest: "disable",
  tightens: true
})

export const managedLock = (help: string): KeyRule<boolean> => ({
  scope: "M",
  shape: flag,
  help,
  strictest: true,
  tightens: true
})

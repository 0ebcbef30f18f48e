/** Looks that texts share. A look is compared and cached by reference, so each is made once. */
import type { Role } from "./roles.ts"
import type { Look } from "./row.ts"

export type Trait = "bold" | "dim" | "italic" | "underline" | "strike" | "inverse"

const plain = new Map<Role, Look>()

export const lookOf = (role: Role): Look => {
  const known = plain.get(role)
  if (known !== undefined) return known
  const look: Look = { role }
  plain.set(role, look)
  return look
}

const derived = new WeakMap<Look, Map<string, Look>>()

/** One object per base and change, however often it is asked for. */
const memoised = (base: Look, key: string, make: () => Look): Look => {
  const variants = derived.get(base) ?? new Map<string, Look>()
  if (variants.size === 0) derived.set(base, variants)
  const known = variants.get(key)
  if (known !== undefined) return known
  const look = make()
  variants.set(key, look)
  return look
}

export const withTrait = (base: Look, trait: Trait): Look =>
  base[trait] === true ? base : memoised(base, trait, () => ({ ...base, [trait]: true }))

export const withRole = (base: Look, role: Role): Look =>
  base.role === role ? base : memoised(base, `role ${role}`, () => ({ ...base, role }))

export const withGround = (base: Look, background: Role): Look =>
  base.background === background ? base : memoised(base, `ground ${background}`, () => ({ ...base, background }))

export const TEXT = lookOf("text")
export const CONTROL = lookOf("control")
export const DIM = withTrait(TEXT, "dim")

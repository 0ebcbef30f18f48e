import { Schema } from "effect"
import { editDistance } from "../domain/text/edit-distance.ts"
import { type Json, type JsonNode, placesIn, plainOf, readJson } from "../domain/json/positioned-json.ts"
import type { KeyRule } from "./keys/key-rule.ts"
import { isGroup, namesIn, ruleOf } from "./keys/known-keys.ts"
import { guardsAt, type Origin, type SettingsProblem } from "./origin.ts"
import type { SettingsSource } from "../domain/settings-source.ts"
import type { Shape } from "./keys/shape.ts"
import { describeBreak, excerptOf } from "../domain/json/syntax-error.ts"
import { emptyTree, type ListItem, type ObjectTree, type Tree, treeOf } from "./tree.ts"

/** One settings file as it was found. */
export interface SettingsText {
  readonly source: SettingsSource
  readonly file: string
  readonly text: string
}

/** What one file says: the keys that can be used, and what is wrong with the others. */
export interface Layer {
  readonly source: SettingsSource
  readonly file: string
  readonly tree: ObjectTree
  readonly problems: ReadonlyArray<SettingsProblem>
}

const SHOWN_CHARS = 40

const describe = (value: Json): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object") return "an object"
  const written = JSON.stringify(value)
  return written.length > SHOWN_CHARS ? `${written.slice(0, SHOWN_CHARS)}...` : written
}

const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= 2 && distance < candidate.length)
    .sort((left, right) => left.distance - right.distance)
  return ranked[0]?.candidate
}

class LayerReader {
  readonly problems: Array<SettingsProblem> = []

  private readonly place: ReturnType<typeof placesIn>

  constructor(private readonly from: SettingsText) {
    this.place = placesIn(from.text)
  }

  read(): ObjectTree {
    const { text } = this.from
    const nothing = emptyTree(this.origin(0))
    if (text.replace(/^\uFEFF/, "").trim() === "") return nothing
    const reading = readJson(text)
    if (reading._tag === "Broken") {
      const { at, message, suggestion } = describeBreak(text, reading)
      this.problem(at, [], "error", message, { suggestion, excerpt: excerptOf(text, at) })
      return this.afterBreak(reading.salvaged) ?? nothing
    }
    if (reading.node.kind === "object") return this.group(reading.node, [])
    const got = describe(plainOf(reading.node))
    this.problem(reading.node.at, [], "error", `the file holds ${got} instead of an object`, {
      expected: "an object",
      got,
      suggestion: "put the settings between { and }",
      excerpt: excerptOf(text, reading.node.at)
    })
    return nothing
  }

  /** A broken file counts as none, except a managed one: of that, everything that can be read still holds. */
  private afterBreak(salvaged: JsonNode | undefined): ObjectTree | undefined {
    if (this.from.source !== "policySettings") return undefined
    const whole = salvaged?.kind === "object" ? this.group(salvaged, []) : emptyTree(this.origin(0))
    const origin = this.origin(0)
    const lock = treeOf("disable", origin)
    const permissions = whole.members.get("permissions")
    const rules = permissions?.kind === "object" ? permissions : emptyTree(origin)
    const locked = { ...rules, members: new Map([...rules.members, ["disableBypassPermissionsMode", lock]]) }
    return { ...whole, members: new Map<string, Tree>([...whole.members, ["permissions", locked]]) }
  }

  private origin(at: number): Origin {
    return { source: this.from.source, file: this.from.file, ...this.place(at) }
  }

  private problem(
    at: number,
    path: ReadonlyArray<string>,
    level: SettingsProblem["level"],
    message: string,
    more: Pick<SettingsProblem, "expected" | "got" | "suggestion" | "excerpt"> = {}
  ): void {
    const name = path.join(".")
    this.problems.push({ level, ...this.origin(at), path: name, message, ...more, ...guardsAt(level, name) })
  }

  /** The top of the file, or an object such as `permissions` whose names are known. */
  private group(node: JsonNode & { readonly kind: "object" }, path: ReadonlyArray<string>): ObjectTree {
    const members = new Map<string, Tree>()
    for (const { key, at, value } of node.members) {
      const here = [...path, key]
      if (members.has(key)) this.problem(at, here, "warning", "this name stands twice; the last one counts")
      const tree = this.named(here, at, value)
      if (tree === undefined) members.delete(key)
      else members.set(key, tree)
    }
    return { kind: "object", members, cuts: false, origin: this.origin(node.at) }
  }

  private named(path: ReadonlyArray<string>, at: number, value: JsonNode): Tree | undefined {
    const name = path.join(".")
    const rule = ruleOf(name)
    if (path.at(-1)?.includes(".") === true && (rule !== undefined || isGroup(name))) return this.flat(path, at)
    if (rule !== undefined) return this.known(path, rule, value)
    if (!isGroup(name)) return this.unknown(path, at)
    if (value.kind === "object") return this.group(value, path)
    this.wrong(path, value, "an object")
    return this.from.source === "policySettings" ? this.strictestOf(path, value.at) : undefined
  }

  /** A managed group that cannot be read: its security keys are as strict as they can be. */
  private strictestOf(path: ReadonlyArray<string>, at: number): ObjectTree {
    const origin = this.origin(at)
    const members = new Map<string, Tree>()
    for (const name of namesIn(path.join("."))) {
      const strictest = ruleOf([...path, name].join("."))?.strictest
      if (strictest !== undefined) members.set(name, treeOf(strictest, origin))
    }
    return { kind: "object", members, cuts: false, origin }
  }

  private unknown(path: ReadonlyArray<string>, at: number): undefined {
    const meant = nearestName(path.at(-1) ?? "", namesIn(path.slice(0, -1).join(".")))
    const whole = meant === undefined ? undefined : [...path.slice(0, -1), meant].join(".")
    this.problem(at, path, "remark", "unknown key; it is kept and not used", {
      suggestion: whole === undefined ? "remove it, or leave it for the tool that knows it" : `write ${whole}`
    })
    return undefined
  }

  /** `"permissions.allow"` as one name, as `nacre config` takes it but files do not. */
  private flat(path: ReadonlyArray<string>, at: number): undefined {
    const names = path.at(-1)?.split(".") ?? []
    const nested = names.map((name) => JSON.stringify(name)).join(": { ")
    this.problem(at, path, "warning", "names with dots are not read; it is ignored", {
      suggestion: `write ${nested}: ...${" }".repeat(names.length - 1)}`
    })
    return undefined
  }

  private known(path: ReadonlyArray<string>, rule: KeyRule<unknown>, value: JsonNode): Tree | undefined {
    const tree = this.shaped(path, rule.shape, value, "error")
    if (tree !== undefined || this.from.source !== "policySettings" || rule.strictest === undefined) return tree
    return treeOf(rule.strictest, this.origin(value.at))
  }

  /** Checks a value against its shape. Entries of lists and records are checked one by one and dropped alone. */
  private shaped(
    path: ReadonlyArray<string>,
    shape: Shape<unknown>,
    node: JsonNode,
    level: "error" | "warning"
  ): Tree | undefined {
    if (shape.items !== undefined && node.kind === "array") return this.list(path, shape.items, node)
    if (shape.members !== undefined && node.kind === "object") return this.record(path, shape.members, node)
    if (Schema.is(shape.schema())(plainOf(node))) return this.plain(node)
    this.wrong(path, node, shape.expected, level, shape.choices)
    return undefined
  }

  private list(path: ReadonlyArray<string>, items: Shape<unknown>, node: JsonNode & { readonly kind: "array" }): Tree {
    const kept: Array<ListItem> = []
    const fits = Schema.is(items.schema())
    for (const item of node.items) {
      const value = plainOf(item)
      if (fits(value)) kept.push({ value, origin: this.origin(item.at) })
      else this.wrong(path, item, items.expected, "warning")
    }
    return { kind: "list", items: kept, cuts: false, origin: this.origin(node.at) }
  }

  private record(path: ReadonlyArray<string>, shape: Shape<unknown>, node: JsonNode & { readonly kind: "object" }): Tree {
    const members = new Map<string, Tree>()
    for (const { key, at, value } of node.members) {
      const here = [...path, key]
      if (members.has(key)) this.problem(at, here, "warning", "this name stands twice; the last one counts")
      const tree = this.shaped(here, shape, value, "warning")
      if (tree === undefined) members.delete(key)
      else members.set(key, tree)
    }
    return { kind: "object", members, cuts: false, origin: this.origin(node.at) }
  }

  /** A value whose inside needs no check. */
  private plain(node: JsonNode): Tree {
    const origin = this.origin(node.at)
    switch (node.kind) {
      case "value":
        return { kind: "value", value: node.value, origin }
      case "array":
        return {
          kind: "list",
          items: node.items.map((item) => ({ value: plainOf(item), origin: this.origin(item.at) })),
          cuts: false,
          origin
        }
      case "object":
        return {
          kind: "object",
          members: new Map(node.members.map(({ key, value }) => [key, this.plain(value)])),
          cuts: false,
          origin
        }
    }
  }

  private wrong(
    path: ReadonlyArray<string>,
    node: JsonNode,
    expected: string,
    level: "error" | "warning" = "error",
    choices: ReadonlyArray<string> = []
  ): void {
    const value = plainOf(node)
    // Variables may be secrets, so only their kind is shown.
    const got = path[0] === "env" && typeof value === "number" ? "a number" : describe(value)
    const meant = typeof value === "string" ? nearestName(value, choices) : undefined
    this.problem(node.at, path, level, `expected ${expected}, found ${got}; it is ignored`, {
      expected,
      got,
      ...(meant === undefined ? {} : { suggestion: `write "${meant}"` })
    })
  }
}

/** Decodes one file key by key. Whatever the text is, the answer is a layer. */
export const readLayer = (from: SettingsText): Layer => {
  const reader = new LayerReader(from)
  const tree = reader.read()
  return { source: from.source, file: from.file, tree, problems: reader.problems }
}

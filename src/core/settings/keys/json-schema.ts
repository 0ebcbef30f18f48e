import { Schema } from "effect"
import type { Json } from "../../domain/json/positioned-json.ts"
import type { KeyRule } from "./key-rule.ts"
import { KEYS } from "./keys.ts"

/** The JSON Schema of a settings file, for editors. Keys of other tools are welcome. */

interface Node {
  [name: string]: Node | Json
}

const SCOPES: Record<KeyRule<unknown>["scope"], string> = {
  A: "any settings file",
  L: "not the shared file of a project",
  U: "user and managed settings",
  M: "managed settings",
  G: "the global configuration"
}

const propertyOf = (rule: KeyRule<unknown>): Node => {
  const { schema } = Schema.toJsonSchemaDocument(rule.shape.schema())
  const note = rule.unused === true ? "; recognised, not used in this version" : ""
  return { ...(schema as Node), description: `${rule.help} (${SCOPES[rule.scope]}${note})` }
}

const group = (): Node => ({ type: "object", properties: {} })

/** The object of properties below a path, made on the way. */
const propertiesAt = (root: Node, path: ReadonlyArray<string>): Node =>
  path.reduce<Node>((node, name) => {
    const properties = node["properties"] as Node
    properties[name] ??= group()
    return properties[name] as Node
  }, root)["properties"] as Node

export const settingsSchema = (): Node => {
  const root: Node = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "Nacre settings", ...group() }
  for (const [key, rule] of Object.entries<KeyRule<unknown>>(KEYS)) {
    if (rule.scope === "G") continue
    const path = key.split(".")
    propertiesAt(root, path.slice(0, -1))[path.at(-1) ?? ""] = propertyOf(rule)
  }
  return root
}

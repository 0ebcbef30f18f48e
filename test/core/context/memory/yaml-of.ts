import * as Yaml from "effect/encoding/Yaml"

/** Front matter as a reader of YAML takes it. */
export const readFrontmatterForTest = (text: string): unknown => Yaml.parse(text.split("\n---\n")[0]?.slice(4) ?? "")

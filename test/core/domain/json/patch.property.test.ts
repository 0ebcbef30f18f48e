import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Edit, patchText } from "../../../../src/core/domain/json/patch.ts"
import { saveUpdates } from "../../../../src/core/permission/configuration/save-updates.ts"
import { settingsObject, settingsText } from "../../settings/arbitrary.ts"

type Plain = Record<string, unknown>

const isPlain = (value: unknown): value is Plain => typeof value === "object" && value !== null && !Array.isArray(value)

/** What the change means on values: the oracle of the text that comes out. */
const setAt = (value: unknown, [name = "", ...rest]: ReadonlyArray<string>, to: unknown): Plain => {
  const object = isPlain(value) ? value : {}
  if (to === undefined && (!Object.hasOwn(object, name) || (rest.length > 0 && !isPlain(object[name])))) return object
  const entries = Object.entries(object).filter(([key]) => key !== name || rest.length > 0 || to !== undefined)
  const next = rest.length > 0 ? setAt(Object.hasOwn(object, name) ? object[name] : {}, rest, to) : to
  if (to === undefined && rest.length === 0) return Object.fromEntries(entries)
  const isThere = entries.some(([key]) => key === name)
  return Object.fromEntries(
    isThere ? entries.map(([key, old]) => [key, key === name ? next : old]) : [...entries, [name, next]]
  )
}

const path = fc.oneof(
  fc.constantFrom(["theme"], ["permissions", "allow"], ["nacre", "tui", "borders"], ["__proto__"], ["env", "a.b"]),
  fc.array(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 3 })
)

const edit: fc.Arbitrary<Edit> = fc.record({
  path,
  value: fc.oneof(fc.constant(undefined), fc.constantFrom("dark", true, 3, ["a", "b"], { x: [1, { y: null }] }))
})

describe("patching a settings file", () => {
  it("changes what was asked for and keeps the order of every key", () => {
    fc.assert(
      fc.property(settingsText, fc.array(edit, { minLength: 1, maxLength: 4 }), (text, edits) => {
        const patched = Result.getOrThrow(patchText(text, edits))
        const expected = edits.reduce<unknown>((value, { path, value: to }) => setAt(value, path, to), JSON.parse(text))
        expect(JSON.stringify(JSON.parse(patched))).toBe(JSON.stringify(expected))
      }),
      { numRuns: 300 }
    )
  })

  it("keeps every byte outside the member that changes", () => {
    fc.assert(
      fc.property(settingsText, fc.constantFrom("theme", "model", "language"), (text, name) => {
        const patched = Result.getOrThrow(patchText(text, [{ path: [name], value: "changed-value" }]))
        const back = JSON.parse(text) as Plain
        const restored = Object.hasOwn(back, name)
          ? patchText(patched, [{ path: [name], value: back[name] as string }])
          : patchText(patched, [{ path: [name], value: undefined }])
        const undone = Result.getOrThrow(restored)
        // A file without members has no place that must stay; an old object may have been laid out differently.
        if (Object.keys(back).length === 0 || typeof back[name] === "object") return
        expect(undone).toBe(text)
      }),
      { numRuns: 300 }
    )
  })

  it("writes nothing new when nothing changes", () => {
    fc.assert(
      fc.property(settingsObject, (value) => {
        const text = `  ${JSON.stringify(value, null, 3)} \n\n`
        const edits = Object.entries(value).map(([name, member]) => ({ path: [name], value: member as string }))
        expect(Result.getOrThrow(patchText(text, edits))).toBe(text)
      })
    )
  })

  it("never writes a file that it cannot read, whatever its bytes", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom("{,}", '{"a":1,}', "{//\n}", "[1]", "3", '{"a":1}x')), (text) => {
        const patched = patchText(text, [{ path: ["a"], value: 1 }])
        if (Result.isSuccess(patched)) expect(JSON.parse(patched.success.replace(/^\uFEFF/, ""))).toMatchObject({ a: 1 })
        else expect(patched.failure).not.toBe("")
      }),
      { numRuns: 200 }
    )
  })

  it("deletes a name that stands twice, both times", () => {
    expect(patchText('{"a": 1, "b": 2, "a": 3, "c": 4}', [{ path: ["a"], value: undefined }])).toEqual(
      Result.succeed('{"b": 2, "c": 4}')
    )
  })

  it("keeps a byte order mark, tabs and carriage returns", () => {
    const text = '\uFEFF{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}\r\n'
    expect(Result.getOrThrow(patchText(text, [{ path: ["a", "c"], value: ["x"] }]))).toBe(
      '\uFEFF{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t\t"c": [\r\n\t\t\t"x"\r\n\t\t]\r\n\t}\r\n}\r\n'
    )
  })
})

describe("saving permission updates", () => {
  const rule = (ruleContent: string) => ({ toolName: "Bash", ruleContent })
  const add = (...texts: ReadonlyArray<string>) =>
    ({ type: "addRules", rules: texts.map(rule), behavior: "allow", destination: "localSettings" }) as const

  it("adds to the list that is there, each rule once", () => {
    const text = '{\n  "hook": {},\n  "permissions": {\n    "allow": [\n      "Read"\n    ]\n  }\n}\n'
    const saved = Result.getOrThrow(saveUpdates(text, [add("ls *"), add("ls *", "pwd")]))
    expect(saved).toBe(
      '{\n  "hook": {},\n  "permissions": {\n    "allow": [\n      "Read",\n      "Bash(ls *)",\n      "Bash(pwd)"\n    ]\n  }\n}\n'
    )
    expect(Result.getOrThrow(saveUpdates(saved, [add("pwd")]))).toBe(saved)
  })

  it("starts a file, removes and replaces", () => {
    const one = Result.getOrThrow(saveUpdates("", [add("ls")]))
    expect(JSON.parse(one)).toEqual({ permissions: { allow: ["Bash(ls)"] } })
    expect(one.endsWith("}\n")).toBe(true)
    const none = Result.getOrThrow(saveUpdates(one, [{ ...add("ls"), type: "removeRules" }]))
    expect(JSON.parse(none)).toEqual({ permissions: { allow: [] } })
    const other = Result.getOrThrow(
      saveUpdates(one, [
        { ...add("x"), type: "replaceRules" },
        { type: "addDirectories", directories: ["/d"], destination: "localSettings" },
        { type: "setMode", mode: "acceptEdits", destination: "localSettings" }
      ])
    )
    expect(JSON.parse(other)).toEqual({
      permissions: { allow: ["Bash(x)"], additionalDirectories: ["/d"], defaultMode: "acceptEdits" }
    })
  })
})

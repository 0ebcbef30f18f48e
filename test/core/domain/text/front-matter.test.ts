import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readFrontMatter } from "../../../../src/core/domain/text/front-matter.ts"

const fieldsOf = (lines: string) => Object.fromEntries(readFrontMatter(`---\n${lines}\n---\nbody`).fields)

describe("front matter", () => {
  it.each<[lines: string, fields: Record<string, unknown>]>([
    ["name: x\npaths: [a, b]", { name: "x", paths: ["a", "b"] }],
    ["paths:\n  - src/**\n  - '*.ts'", { paths: ["src/**", "*.ts"] }],
    ["paths: **/*.ts", { paths: "**/*.ts" }],
    ["paths: *.ts, src/{a,b}/**", { paths: "*.ts, src/{a,b}/**" }],
    ['paths:\n  - **/*.ts\n  - "src/**"', { paths: ["**/*.ts", "src/**"] }],
    ['paths: "a", "b"', { paths: '"a", "b"' }],
    ["# a comment", {}],
    ["", {}]
  ])("%j is read", (lines, fields) => {
    expect(fieldsOf(lines)).toEqual(fields)
    expect(readFrontMatter(`---\n${lines}\n---\nbody`)).toMatchObject({ body: "body" })
    expect(readFrontMatter(`---\n${lines}\n---\nbody`).problem).toBeUndefined()
  })

  it("that is broken says where, and what can be read counts", () => {
    const broken = readFrontMatter("---\nname: x\npaths: [a\n  ?? what\n---\nbody")
    expect(broken.problem?.line).toBe(4)
    expect(broken.fields.get("name")).toBe("x")
    expect(broken.body).toBe("body")
    expect(readFrontMatter(`---\n${"a: b # long\n".repeat(7_000)}---\nbody`).problem?.why).toContain("64 KiB")
  })

  it("needs both of its marks", () => {
    for (const text of ["", "x", "---", "---\na: b", "text\n---\na: b\n---", "--- x\na: b\n---\n"]) {
      expect(readFrontMatter(text)).toEqual({ fields: new Map(), body: text })
    }
  })

  it("never fails, and the text behind it is as it was", () => {
    const piece = fc.constantFrom("---\n", "a: ", "- ", "[", "{", "&x ", "*x", "<<: ", "'", '"', "|\n", "\t", "\n", "  ", "é", "#", "__proto__: 1\n") // prettier-ignore
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 30 }).map((pieces) => `---\n${pieces.join("")}\n---\nrest`)
    )
    fc.assert(
      fc.property(text, (written) => {
        const { fields, body } = readFrontMatter(written)
        expect(written.replaceAll("\r\n", "\n").endsWith(body.replaceAll("\r\n", "\n"))).toBe(true)
        expect(fields instanceof Map).toBe(true)
      })
    )
  })
})

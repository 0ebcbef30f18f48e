import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Env } from "../../../../src/core/domain/env.ts"
import { KeptFiles } from "../../../../src/shell/interactive/stores/user-state-files.ts"
import type { Happening } from "../../../../src/tui/model/msg.ts"
import type { ShadaChange } from "../../../../src/tui/model/registers-file.ts"

const SESSION = "11111111-2222-4333-8444-555555555555"

interface Room {
  readonly shada: string
  readonly transcript: string
  readonly marks: string
  /** A process at work on the same files. */
  readonly enter: (env?: Env) => { kept: KeptFiles; told: Array<Happening>; complaints: Array<string> }
}

const inRoom = (use: (room: Room) => void) => (): void => {
  const root = mkdtempSync(join(tmpdir(), "nacre-kept-"))
  const transcript = join(root, "projects", "-work", `${SESSION}.jsonl`)
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, "")
  try {
    use({
      shada: join(root, "nacre", "shada.json"),
      transcript,
      marks: join(root, "projects", "-work", SESSION, "marks.json"),
      enter: (env = {}) => {
        const told: Array<Happening> = []
        const complaints: Array<string> = []
        const kept = new KeptFiles({
          configHome: root,
          env,
          tell: (happening) => told.push(happening),
          complain: (text) => complaints.push(text),
          transcriptOf: (session) => (session === SESSION ? transcript : undefined)
        })
        return { kept, told, complaints }
      }
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const register = (letter: string, ...lines: ReadonlyArray<string>): ShadaChange => ({
  registers: new Map([[letter, { type: "line", lines }]]),
  marks: new Map()
})

const MARKS = new Map([["a", { entry: "e", block: "b", offset: 2 }]])

describe("registers on disk", () => {
  it(
    "are private and come back",
    inRoom(({ enter, shada }) => {
      const first = enter()
      first.kept.keepShada(register("a", "one", "two"))
      expect(existsSync(shada)).toBe(false)
      first.kept.flush()
      expect(statSync(shada).mode & 0o777).toBe(0o600)
      expect(existsSync(`${shada}.lock`)).toBe(false)
      const second = enter()
      second.kept.loadShada()
      expect(second.told).toEqual([{ _tag: "ShadaLoaded", ...register("a", "one", "two") }])
      expect(second.complaints).toEqual([])
    })
  )

  it(
    "of two processes do not destroy each other",
    inRoom(({ enter }) => {
      const [first, second, third] = [enter(), enter(), enter()]
      first.kept.loadShada()
      second.kept.loadShada()
      first.kept.keepShada(register("a", "of the first"))
      second.kept.keepShada(register("b", "of the second"))
      first.kept.flush()
      second.kept.flush()
      third.kept.loadShada()
      const registers = new Map([...register("a", "of the first").registers, ...register("b", "of the second").registers])
      expect(third.told).toEqual([{ _tag: "ShadaLoaded", registers, marks: new Map() }])
    })
  )

  it(
    "are made private where others could read them",
    inRoom(({ enter, shada }) => {
      mkdirSync(dirname(shada))
      writeFileSync(shada, "{}", { mode: 0o644 })
      const { kept } = enter()
      kept.keepShada(register("a", "x"))
      kept.flush()
      expect(statSync(shada).mode & 0o777).toBe(0o600)
    })
  )

  it.each(["not json", "[1]", "\u0000\u0001"])("that cannot be read (%j) are told, and kept beside", (text) => {
    inRoom(({ enter, shada }) => {
      mkdirSync(dirname(shada))
      writeFileSync(shada, text)
      const { kept, told, complaints } = enter()
      kept.loadShada()
      expect(told).toEqual([{ _tag: "ShadaLoaded", registers: new Map(), marks: new Map() }])
      expect(complaints).toHaveLength(1)
      expect(complaints[0]).toContain(shada)
      expect(readFileSync(shada, "utf8")).toBe(text)
      kept.keepShada(register("a", "x"))
      kept.flush()
      expect(readFileSync(`${shada}.bad`, "utf8")).toBe(text)
      expect(readFileSync(shada, "utf8")).toContain('"a"')
    })()
  })

  it(
    "are not written where nothing may be remembered",
    inRoom(({ enter, shada }) => {
      const { kept } = enter({ NACRE_NO_HISTORY: "1" })
      kept.keepShada(register("a", "secret"))
      kept.flush()
      expect(existsSync(shada)).toBe(false)
    })
  )

  it(
    "wait for no lock that was left behind",
    inRoom(({ enter, shada }) => {
      mkdirSync(dirname(shada))
      writeFileSync(`${shada}.lock`, "")
      const { kept, complaints } = enter()
      kept.keepShada(register("a", "x"))
      kept.flush()
      expect(complaints).toEqual([])
      expect(existsSync(shada)).toBe(true)
      expect(existsSync(`${shada}.lock`)).toBe(false)
    })
  )
})

describe("marks of a session on disk", () => {
  it(
    "lie beside it, private, and come back",
    inRoom(({ enter, marks }) => {
      const first = enter()
      first.kept.keepMarks({ _tag: "KeepMarks", session: SESSION, marks: MARKS })
      first.kept.flush()
      expect(statSync(marks).mode & 0o777).toBe(0o600)
      const second = enter()
      second.kept.loadMarks(SESSION)
      expect(second.told).toEqual([{ _tag: "MarksLoaded", session: SESSION, marks: MARKS }])
    })
  )

  it(
    "are not written for a conversation that is not saved",
    inRoom(({ enter, transcript, marks }) => {
      rmSync(transcript)
      const { kept } = enter()
      kept.keepMarks({ _tag: "KeepMarks", session: SESSION, marks: MARKS })
      kept.flush()
      expect(existsSync(marks)).toBe(false)
    })
  )

  it(
    "that are broken are told with their file",
    inRoom(({ enter, marks }) => {
      mkdirSync(dirname(marks))
      writeFileSync(marks, '{"marks":{"a":1}}')
      const { kept, told, complaints } = enter()
      kept.loadMarks(SESSION)
      expect(told).toEqual([])
      expect(complaints[0]).toContain(marks)
      expect(complaints[0]).toContain("marks.a")
    })
  )
})

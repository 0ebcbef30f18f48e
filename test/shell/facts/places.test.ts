import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import type { PermissionContext } from "../../../src/core/permission/context.ts"
import { makeContext } from "../../../src/core/permission/configuration/make-context.ts"
import { decide } from "../../../src/core/permission/decide/decide.ts"
import { decisionDigest } from "../../../src/core/permission/decide/digest.ts"
import { factsWanted } from "../../../src/core/permission/decide/facts-wanted.ts"
import type { Need } from "../../../src/core/permission/need.ts"
import { locationOf } from "../../../src/core/domain/path/path-components.ts"
import type { Decision } from "../../../src/core/permission/verdict.ts"
import { ShellParser, ShellParserFailure } from "../../../src/core/ports/ShellParser.ts"
import { gatherFacts } from "../../../src/shell/facts/gather-facts.ts"
import { sessionFactPorts } from "../../support/fact-ports.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"

/** Decisions over a real file system: links, hard links, names that differ in case, places that change. */
const ports = await sessionFactPorts()

interface Rules {
  readonly allow?: ReadonlyArray<string>
  readonly deny?: ReadonlyArray<string>
  readonly mode?: PermissionContext["mode"]
  readonly caseSensitiveFs?: boolean
}

let root = ""
let work = ""

beforeEach(() => {
  root = freshDirectory()
  work = `${root}/work`
  mkdirSync(`${work}/sub`, { recursive: true })
  putFile(`${root}/outside/file.txt`, "outside")
  putFile(`${work}/a.txt`, "a")
})

const contextWith = (rules: Rules): PermissionContext =>
  makeContext({
    cwd: locationOf(work),
    home: locationOf(`${root}/home`),
    bypassAvailable: true,
    canPrompt: true,
    configHome: `${root}/home/.claude`,
    ...rules
  }).context

const TOOLS: Partial<Record<Need["kind"], string>> = { read: "Read", edit: "Write", shell: "Bash" }

const decided = async (need: Need, rules: Rules = {}, context = contextWith(rules)): Promise<Decision> => {
  const request = {
    context,
    tool: { name: TOOLS[need.kind] ?? "Other", aliases: [] },
    needs: [need],
    input: {},
    cwd: work
  }
  const facts = await Effect.runPromiseWith(ports)(gatherFacts(factsWanted(request)))
  return decide({ ...request, facts })
}

const verdict = async (need: Need, rules: Rules = {}) => (await decided(need, rules)).verdict
const read = (path: string): Need => ({ kind: "read", path })
const edit = (path: string): Need => ({ kind: "edit", path })
const shell = (command: string): Need => ({ kind: "shell", command })

describe("links", () => {
  it("a link out of the project is outside for every tool", async () => {
    symlinkSync(`${root}/outside`, `${work}/out`)
    expect(await verdict(read("out/file.txt"))).toBe("ask")
    expect(await verdict(shell("cat out/file.txt"))).toBe("ask")
    expect(await verdict(edit("out/new.txt"), { mode: "acceptEdits" })).toBe("ask")
    expect(await verdict(shell("touch out/new.txt"), { mode: "acceptEdits" })).toBe("ask")
    expect(await verdict(shell("touch sub/new.txt"), { mode: "acceptEdits" })).toBe("allow")
  })

  it("a link inside the project stays inside", async () => {
    symlinkSync("a.txt", `${work}/b.txt`)
    expect(await verdict(read("b.txt"))).toBe("allow")
  })

  it("a chain of links is denied when any place on the way is", async () => {
    mkdirSync(`${work}/secret`)
    symlinkSync(`${work}/a.txt`, `${work}/secret/middle`)
    symlinkSync(`${work}/secret/middle`, `${work}/first`)
    const deny = { deny: ["Read(secret/**)"], mode: "bypassPermissions" as const }
    expect(await verdict(read("first"), deny)).toBe("deny")
    expect(await verdict(shell("cat first"), deny)).toBe("deny")
    expect(await verdict(read("a.txt"), deny)).toBe("allow")
  })

  it("a link that leads nowhere, in a circle or through a missing directory is never a reason to allow", async () => {
    symlinkSync("loop", `${work}/loop`)
    symlinkSync(`${root}/outside/missing/x`, `${work}/dangling`)
    expect(await verdict(read("loop"))).toBe("ask")
    expect(await verdict(read("loop"), { deny: ["Read(loop)"] })).toBe("deny")
    expect(await verdict(edit("dangling"), { mode: "acceptEdits" })).toBe("ask")
    expect(await verdict(edit("new/dir/file"), { mode: "acceptEdits" })).toBe("allow")
  })

  it("a protected place is found behind a harmless name", async () => {
    putFile(`${work}/.git/config`, "")
    symlinkSync(".git/config", `${work}/settings.txt`)
    const answer = await decided(edit("settings.txt"), { mode: "acceptEdits", allow: ["Edit"] })
    expect(answer).toMatchObject({ verdict: "ask", reason: { type: "protectedPath" } })
    expect(await verdict(shell("echo x > settings.txt"), { allow: ["Bash"] })).toBe("ask")
  })

  it("a secret is found behind a harmless name, whatever rule covers the name", async () => {
    putFile(`${root}/home/.ssh/id_rsa`, "key")
    symlinkSync(`${root}/home/.ssh/id_rsa`, `${work}/notes.txt`)
    expect((await decided(read("notes.txt"), { allow: ["Read(notes.txt)", "Read"] })).reason.type).toBe("secretFile")
    expect(await verdict(shell("cat notes.txt"), { allow: ["Bash"] })).toBe("ask")
  })
})

describe("links that rules name", () => {
  const OTHER_NAMES = [
    "Read(./alias/file.txt)",
    "Read(alias/**)",
    "Read(alias)",
    "Read(./alias/*.TXT)",
    String.raw`Read(ali\as)`
  ]

  beforeEach(() => symlinkSync(`${root}/outside`, `${work}/alias`))

  it.each(OTHER_NAMES)("%s holds where the link leads, for every tool", async (rule) => {
    const deny = { mode: "bypassPermissions" as const, deny: [rule] }
    const real = `${root}/outside/file.txt`
    for (const need of [read(real), edit(real), shell(`cat ${real}`), read("alias/file.txt")]) {
      expect(await verdict(need, deny), JSON.stringify(need)).toBe("deny")
    }
    expect(await verdict(read(`${root}/outside-evil/file.txt`), deny)).toBe("allow")
    expect(await verdict(shell(`grep -r x ${root}/outside`), deny)).not.toBe("allow")
  })

  it("an allow rule about a link says nothing about where it leads", async () => {
    expect(await verdict(read(`${root}/outside/file.txt`), { allow: ["Read(alias/**)"] })).toBe("ask")
    expect(await verdict(read("alias/file.txt"), { allow: ["Read(alias/**)"] })).toBe("ask")
  })

  it("a link to a single file counts too, and the digest tells when it leads elsewhere", async () => {
    symlinkSync("a.txt", `${work}/b.txt`)
    const deny = { mode: "bypassPermissions" as const, deny: ["Edit(b.txt)"] }
    expect(await verdict(edit("a.txt"), deny)).toBe("deny")
    expect(await verdict(shell("echo x > a.txt"), deny)).toBe("deny")
    const request = {
      context: contextWith(deny),
      tool: { name: "Write", aliases: [] },
      needs: [edit("c")],
      input: {},
      cwd: work
    }
    const digest = async () =>
      decisionDigest({ ...request, facts: await Effect.runPromiseWith(ports)(gatherFacts(factsWanted(request))) })
    const before = await digest()
    rmSync(`${work}/b.txt`)
    symlinkSync("c", `${work}/b.txt`)
    expect(await digest()).not.toBe(before)
  })
})

describe("names", () => {
  it("both spellings of a name are two files where the system says so", async () => {
    symlinkSync(`${root}/outside/file.txt`, `${work}/cafe\u0301`)
    putFile(`${work}/caf\u00e9`, "inside")
    expect(await verdict(read("caf\u00e9"))).toBe("allow")
    expect(await verdict(read("cafe\u0301"))).toBe("ask")
    expect(await verdict(edit("cafe\u0301"), { mode: "acceptEdits" })).toBe("ask")
    expect(await verdict(shell("cat cafe\u0301"))).toBe("ask")
    expect(await verdict(shell("cat cafe*"))).toBe("ask")
    for (const name of ["caf\u00e9", "cafe\u0301"])
      expect(await verdict(read(name), { deny: ["Read(caf\u00e9)"] })).toBe("deny")
  })

  it("deny rules and protected names ignore case, allow rules where the file system does", async () => {
    expect(await verdict(read("A.TXT"), { deny: ["Read(a.txt)"] })).toBe("deny")
    expect(await verdict(shell("cat A.TXT"), { deny: ["Read(a.txt)"] })).toBe("deny")
    expect(await verdict(edit(".GIT/config"), { mode: "acceptEdits" })).toBe("ask")
    expect(await verdict(edit("src/X"), { allow: ["Edit(src/x)"] })).toBe("ask")
    expect(await verdict(edit("src/X"), { allow: ["Edit(src/x)"], caseSensitiveFs: false })).toBe("allow")
  })

  it("a second name for the same file is decided by the name that is used", async () => {
    linkSync(`${work}/a.txt`, `${work}/.env`)
    expect(await verdict(read("a.txt"))).toBe("allow")
    expect((await decided(read(".env"))).reason.type).toBe("secretFile")
  })

  it("names that only begin alike have nothing in common", async () => {
    putFile(`${root}/work-evil/x`, "")
    expect(await verdict(read(`${root}/work-evil/x`))).toBe("ask")
  })
})

describe("globs and whole directories", () => {
  it("a glob is denied when it stands for a denied file", async () => {
    putFile(`${work}/keys.txt`, "")
    const deny = { deny: ["Read(keys.txt)"] }
    expect(await verdict(shell("cat *.txt"), deny)).toBe("deny")
    expect(await verdict(shell("cat sub/*"), deny)).toBe("allow")
  })

  it("a glob that stands for a link out of the project asks", async () => {
    symlinkSync(`${root}/outside/file.txt`, `${work}/sub/link.txt`)
    expect(await verdict(shell("cat sub/*"))).toBe("ask")
  })

  it("removing a directory that holds protected files asks, although a rule allows it", async () => {
    putFile(`${work}/sub/.git/config`, "")
    const answer = await decided(shell("rm -r sub"), { mode: "acceptEdits", allow: ["Bash(rm *)"] })
    expect(answer).toMatchObject({ verdict: "ask", reason: { type: "protectedPath" } })
    rmSync(`${work}/sub/.git`, { recursive: true })
    expect(await verdict(shell("rm -r sub"), { mode: "acceptEdits" })).toBe("allow")
  })

  it("a search that would print a secret asks", async () => {
    expect(await verdict(shell("grep -r x ."))).toBe("allow")
    putFile(`${work}/sub/.env`, "TOKEN=1")
    expect((await decided(shell("grep -r x ."))).verdict).toBe("ask")
    expect(await verdict(shell("ls -R ."))).toBe("allow")
  })
})

describe("rules about what lies below a directory", () => {
  const TAKING = [
    "grep -rn x sub",
    "rg x",
    "rg x sub",
    "tar cf a.tar sub",
    "cp -r sub b",
    "zip -r a.zip .",
    "diff -r sub b",
    "mv sub b",
    "rm -r sub",
    "grep -r x s*",
    "rsync -a sub/ b",
    "docker run -v ./sub:/w alpine",
    "bash -c 'grep -r x .'"
  ]
  const RULES = ["Read(sub/private.md)", "Read(./sub/*.md)", "Read(private.md)", "Read(**/PRIVATE*)"]

  beforeEach(() => putFile(`${work}/sub/private.md`, "x"))

  it.each(TAKING)("%s asks, whatever would allow it, and is denied where nobody can be asked", async (command) => {
    for (const rule of RULES) {
      const answer = await decided(shell(command), { mode: "bypassPermissions", allow: ["Bash"], deny: [rule] })
      expect(answer, rule).toMatchObject({ verdict: "ask", reason: { type: "possibleDeny" }, immune: true })
      expect(await verdict(shell(command), { mode: "dontAsk", allow: ["Bash"], deny: [rule] })).toBe("deny")
    }
  })

  it("a link to the directory does not hide what it holds", async () => {
    symlinkSync("sub", `${work}/alias`)
    for (const rule of RULES) expect(await verdict(shell("grep -r x alias/"), { deny: [rule] }), rule).not.toBe("allow")
  })

  it("a rule about editing says nothing about reading", async () => {
    const rules = { allow: ["Bash"], deny: ["Edit(sub/private.md)"] }
    expect(await verdict(shell("grep -r x sub"), rules)).toBe("allow")
    expect(await verdict(shell("mv sub b"), rules)).toBe("ask")
    expect(await verdict(shell("rm -r sub"), rules)).toBe("ask")
  })

  it("what does not exist, lies elsewhere or is only listed does not ask", async () => {
    expect(await verdict(shell("grep -r x sub"), { deny: ["Read(sub/other.md)", "Read(./.env)"] })).toBe("allow")
    expect(await verdict(shell("grep -r x a.txt"), { deny: ["Read(sub/private.md)"] })).toBe("allow")
    expect(await verdict(shell("ls -R . && find . && du -a"), { deny: ["Read(sub/private.md)"] })).toBe("allow")
  })

  it("is found among however many files", async () => {
    for (let index = 0; index < 50; index++) putFile(`${work}/node_modules/p/f${index}.js`, "")
    putFile(`${work}/node_modules/p/key.txt`, "")
    expect(await verdict(shell("grep -r x ."), { deny: ["Read(node_modules/p/key.txt)"] })).toBe("ask")
  })

  it("is found whatever the case of its name, and feared where a directory is too large to be looked through", async () => {
    expect(await verdict(shell("grep -r x sub"), { deny: ["Read(./sub/Private.MD)"] })).toBe("ask")
    for (let index = 0; index < 20_100; index++) writeFileSync(`${work}/sub/${index}`, "")
    const allow = ["Bash"]
    expect(await decided(shell("grep -r x sub"), { allow, deny: ["Read(**/*.pub)"] })).toMatchObject({
      verdict: "ask",
      reason: { type: "possibleDeny" }
    })
    expect(await verdict(shell("grep -r x sub"), { allow, deny: ["Read(./docs/*.pub)", "Read(./a.txt)"] })).toBe("allow")
  })

  it("a comparison that follows links asks where there are some", async () => {
    mkdirSync(`${work}/b`)
    expect(await verdict(shell("diff -r sub b"))).toBe("allow")
    symlinkSync(`${root}/outside`, `${work}/b/out`)
    expect(await verdict(shell("diff -r sub b"))).toBe("ask")
    expect(await verdict(shell("diff -r --no-dereference sub b"))).toBe("allow")
  })
})

describe("without a parser", () => {
  it("every command asks and says how to get it back, and deny rules still hold", async () => {
    const message = "the shell parser could not be loaded. Fix: install again"
    const broken = Layer.succeed(ShellParser, { load: Effect.fail(new ShellParserFailure({ message })) })
    const decideBroken = (command: string, rules: Rules) => {
      const context = contextWith(rules)
      const request = { context, tool: { name: "Bash", aliases: [] }, needs: [shell(command)], input: {}, cwd: work }
      return Effect.runPromiseWith(ports)(
        Effect.map(gatherFacts(factsWanted(request)), (facts) => decide({ ...request, facts })).pipe(Effect.provide(broken))
      )
    }
    expect(await decideBroken("ls", {})).toMatchObject({ verdict: "ask", reason: { type: "parse", sentence: message } })
    expect((await decideBroken("ls", { allow: ["Bash"] })).verdict).toBe("ask")
    expect((await decideBroken("x; 'rm' -r a", { deny: ["Bash(rm *)"] })).verdict).toBe("deny")
    expect((await decideBroken("ls", { mode: "bypassPermissions" })).verdict).toBe("allow")
  })
})

describe("places that change", () => {
  it("a working directory that became a link to another place does not count any more", async () => {
    const context = contextWith({})
    expect((await decided(read("a.txt"), {}, context)).verdict).toBe("allow")
    renameSync(work, `${root}/moved`)
    symlinkSync(`${root}/outside`, work)
    expect((await decided(read("file.txt"), {}, context)).verdict).toBe("ask")
  })

  it("the digest tells when a path leads elsewhere", async () => {
    const digestNow = async () => {
      const request = {
        context: contextWith({}),
        tool: { name: "Read", aliases: [] },
        needs: [read("a.txt")],
        input: {},
        cwd: work
      }
      return decisionDigest({ ...request, facts: await Effect.runPromiseWith(ports)(gatherFacts(factsWanted(request))) })
    }
    const before = await digestNow()
    expect(await digestNow()).toBe(before)
    rmSync(`${work}/a.txt`)
    symlinkSync(`${root}/outside/file.txt`, `${work}/a.txt`)
    expect(await digestNow()).not.toBe(before)
  })

  it("a vanished directory is no reason to allow anything in it", async () => {
    rmSync(work, { recursive: true })
    expect(await verdict(read("a.txt"))).toBe("ask")
    expect(await verdict(read("a.txt"), { deny: ["Read(a.txt)"] })).toBe("deny")
    expect(await verdict(shell("ls"))).toBe("ask")
  })
})

describe("what is put into a directory", () => {
  it("is written there under its own name, also through a link", async () => {
    symlinkSync(`${root}/outside/file.txt`, `${work}/sub/a.txt`)
    symlinkSync("sub", `${work}/link`)
    const edits = { mode: "acceptEdits" as const }
    for (const command of ["cp a.txt sub", "cp a.txt link", "mv a.txt sub"]) {
      expect(await verdict(shell(command), edits), command).toBe("ask")
    }
    expect(await verdict(shell("cp a.txt b.txt"), edits)).toBe("allow")
    putFile(`${work}/other/.bashrc`, "")
    expect(await verdict(shell("cp other/.bashrc sub"), edits)).toBe("ask")
    expect(await verdict(shell("cp other/.bashrc bashrc"), edits)).toBe("allow")
    expect(await verdict(shell("mkdir new && cp other/.bashrc new"), edits)).toBe("ask")
  })
})

describe("git and rules about files", () => {
  it("asks where git would show a file that it knows, and only there", async () => {
    execFileSync("git", ["init", "-q"], { cwd: work })
    putFile(`${work}/secrets/key`, "x")
    const rules = { deny: ["Read(secrets)"] }
    for (const command of ["git diff", "git log -p", "git show HEAD"])
      expect(await verdict(shell(command), rules), command).toBe("allow")
    execFileSync("git", ["add", "-A"], { cwd: work })
    for (const command of ["git diff", "git log -p", "git show HEAD"])
      expect(await verdict(shell(command), rules), command).toBe("ask")
    for (const command of ["git diff a.txt", "git log", "git show HEAD:a.txt"]) {
      expect(await verdict(shell(command), rules), command).toBe("allow")
    }
  })
})

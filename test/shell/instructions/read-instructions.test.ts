import { chownSync, linkSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { layer as filesLayer } from "../../../src/adapters/files/node.ts"
import { layer as gitLayer } from "../../../src/adapters/git/node.ts"
import { CLOSED_GATE } from "../../../src/core/settings/trust/gate.ts"
import { runTrust } from "../../../src/shell/commands/trust.ts"
import type { InstructionPlan } from "../../../src/shell/instructions/instruction-place.ts"
import { type Instructions, readInstructions, readNested } from "../../../src/shell/instructions/read-instructions.ts"
import { openSettings } from "../../../src/shell/settings/open-settings.ts"
import { commandIo } from "../../support/command-io.ts"
import { freshDirectory, putFile, putLink } from "../../support/temp-world.ts"

interface World extends InstructionPlan {
  readonly root: string
}

const world = (over: Partial<InstructionPlan> & { readonly user?: object } = {}): World => {
  const root = freshDirectory()
  const [home, cwd] = [join(root, "home"), join(root, "home/work")]
  mkdirSync(cwd, { recursive: true })
  if (over.user !== undefined) putFile(join(home, ".claude/settings.json"), JSON.stringify(over.user))
  const configHome = join(home, ".claude")
  const settings = openSettings({ env: {}, home, configHome, startDir: cwd }, () => CLOSED_GATE)
  const start = { settings: {} }
  return { root, home, cwd, configHome, env: {}, settings, additionalDirs: [], isUnaccepted: false, start, ...over }
}

const ports = Layer.merge(filesLayer, gitLayer)

const read = (plan: InstructionPlan): Promise<Instructions> =>
  Effect.runPromise(Effect.provide(readInstructions(plan), ports))

/** Files of the surroundings of the test are not its subject. */
const textsIn = ({ root }: World, { found: { files } }: Instructions): ReadonlyArray<string> =>
  files.filter(({ path }) => path.startsWith(root)).map(({ text }) => text)

const texts = async (plan: World): Promise<ReadonlyArray<string>> => textsIn(plan, await read(plan))

describe("instruction files on the disk", () => {
  it("are found, each once, however many names lead to it", async () => {
    const plan = world()
    putFile(join(plan.configHome, "CLAUDE.md"), "user")
    putFile(join(plan.cwd, "CLAUDE.md"), "project @AGENTS.md @hard.md")
    putFile(join(plan.cwd, "AGENTS.md"), "agents")
    linkSync(join(plan.cwd, "AGENTS.md"), join(plan.cwd, "hard.md"))
    putLink(join(plan.cwd, "CLAUDE.local.md"), "AGENTS.md")
    putFile(join(plan.cwd, ".claude/rules/deep/r.md"), "rule")
    putLink(join(plan.cwd, ".claude/rules/loop"), "..")
    expect(await texts(plan)).toEqual(["user", "project @AGENTS.md @hard.md", "agents", "rule"])
  })

  it("obey the settings", async () => {
    const plan = world({
      user: { claudeMdExcludes: ["**/CLAUDE.local.md"], nacre: { instructions: { agentsMd: "always" } } }
    })
    putFile(join(plan.cwd, "CLAUDE.md"), "project")
    putFile(join(plan.cwd, "AGENTS.md"), "agents")
    putFile(join(plan.cwd, "CLAUDE.local.md"), "local")
    expect(await texts(plan)).toEqual(["agents", "project"])
    expect(await texts({ ...plan, env: { CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1" } })).toEqual([])
  })

  it("of an added directory are read where the environment asks for it", async () => {
    const plan = world()
    const added = join(plan.root, "added")
    putFile(join(added, "CLAUDE.md"), "added")
    const env = { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" }
    expect(await texts({ ...plan, additionalDirs: [added] })).toEqual([])
    expect(await texts({ ...plan, additionalDirs: [added], env })).toEqual(["added"])
  })

  it("never open what is no file, or a secret", async () => {
    const plan = world()
    putFile(join(plan.configHome, "CLAUDE.md"), "user @~/.ssh/config @~/.env @/dev/zero @/dev/stdin")
    putFile(join(plan.home, ".ssh/config"), "secret")
    putFile(join(plan.home, ".env"), "secret")
    const instructions = await read(plan)
    expect(textsIn(plan, instructions)).toHaveLength(1)
    expect(instructions.found.skipped.map(({ why }) => why).join(" ")).toContain("secrets")
  })

  it("of another user are left out when only they wrote them", async () => {
    const plan = world()
    putFile(join(plan.cwd, "CLAUDE.md"), "planted")
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(join(plan.cwd, "CLAUDE.md"), 4_242, 4_242)
    expect(await texts(plan)).toEqual(isRoot ? [] : ["planted"])
    if (isRoot) chownSync(plan.cwd, 4_242, 4_242)
    expect(await texts(plan)).toEqual(["planted"])
  })

  it("come with a touched file once, with rules about it", async () => {
    const plan = world()
    putFile(join(plan.cwd, "CLAUDE.md"), "project")
    putFile(join(plan.cwd, ".claude/rules/ts.md"), "---\npaths: **/*.ts\n---\nrule")
    putFile(join(plan.cwd, "sub/CLAUDE.md"), "nested")
    const path = join(plan.cwd, "sub/x.ts")
    const instructions = await read(plan)
    const { found } = await Effect.runPromise(
      Effect.provide(readNested(plan, instructions, { path, realPath: path }), ports)
    )
    expect(found.files.map(({ text }) => text)).toEqual(["nested", "rule"])
  })
})

describe("imports from outside of the project", () => {
  const outside = () => {
    const plan = world()
    const other = join(plan.root, "other.md")
    putFile(other, "other @more.md")
    putFile(join(plan.root, "more.md"), "more")
    putFile(join(plan.cwd, "CLAUDE.md"), `project @${other}`)
    const approve = async (...args: ReadonlyArray<string>) => {
      const run = commandIo({ cwd: plan.cwd, home: plan.home })
      const code = await runTrust({ sub: args[0] ?? "", operands: args.slice(1), flags: {} }, run.io)
      return { code, out: run.out(), err: run.err() }
    }
    return { plan, other, approve, shared: join(plan.home, ".claude.json") }
  }

  it("wait until the user approves them, and others wait again", async () => {
    const { plan, other, approve } = outside()
    expect(await texts(plan)).toHaveLength(1)
    expect((await read(plan)).found.askFor).toEqual([other])
    const { code, out } = await approve("imports")
    expect([code, out]).toEqual([0, `Instructions of ${plan.cwd} may import:\n${join(plan.root, "more.md")}\n${other}\n`])
    expect((await texts(plan)).slice(1)).toEqual(["other @more.md", "more"])
    putFile(join(plan.root, "new.md"), "new")
    putFile(join(plan.cwd, "CLAUDE.local.md"), `@${join(plan.root, "new.md")}`)
    expect((await read(plan)).found.askFor).toEqual([join(plan.root, "new.md")])
    expect(await texts({ ...plan, isUnaccepted: true })).toHaveLength(2)
  })

  it("are read when another program asked, and no longer when they were withdrawn", async () => {
    const { plan, approve, shared } = outside()
    putFile(shared, JSON.stringify({ projects: { [plan.cwd]: { hasClaudeMdExternalIncludesApproved: true } } }))
    expect(await texts(plan)).toHaveLength(3)
    await approve("add")
    await approve("imports")
    await approve("remove")
    expect(await texts(plan)).toHaveLength(1)
    expect(readFileSync(shared, "utf8")).not.toContain("nacreImports")
  })

  it("cannot be approved in a folder that is not trusted", async () => {
    const { plan, approve } = outside()
    putFile(join(plan.cwd, ".claude/settings.json"), JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: "x" }] }] } }))
    expect(await approve("imports")).toMatchObject({ code: 1, err: expect.stringContaining("not trusted") })
  })
})

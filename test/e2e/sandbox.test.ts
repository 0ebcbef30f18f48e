import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { makeSandboxWorld, sandboxWorks, type SandboxWorld } from "../support/sandbox-world.ts"
import { putFile } from "../support/temp-world.ts"

/** Attempts to write outside of a sandbox. Each looks at the host afterwards, not at what the command says. */
let world: SandboxWorld
beforeEach(() => {
  world = makeSandboxWorld()
})
afterEach(() => world.close())

const inProject = (name: string): string => path.join(world.project, name)
const exists = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined

const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...args], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: world.home }
  })

const IDENTITY = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b"

const makeRepository = (directory: string): void => {
  git(directory, "init", "-q")
  putFile(path.join(directory, "a.txt"), "one\n")
  git(directory, "add", "a.txt")
  git(directory, "commit", "-qm", "first")
}

/** What is left of the stand-ins a while after the last command. */
const settled = async (): Promise<ReadonlyArray<string>> => {
  await expect.poll(() => fs.readdirSync(world.project).some((name) => name === ".claude")).toBe(false)
  return fs.readdirSync(world.project).toSorted()
}

describe.skipIf(!sandboxWorks())("a sandboxed command", () => {
  it("works where it may: the project, the temporary directory, pipes, devices", async () => {
    const { code, output } = await world.run(
      'mkdir -p a/b && echo x > a/b/c && mv a/b/c d && echo y > "$TMPDIR/t" && ' +
        'cat d "$TMPDIR/t" | tr xy XY; echo > /dev/null; exit 3'
    )
    expect({ code, output }).toEqual({ code: 3, output: "X\nY\n" })
    expect(fs.readFileSync(inProject("d"), "utf8")).toBe("x\n")
    expect(await settled()).toEqual(["a", "d"])
  })

  it("cannot write outside", async () => {
    putFile(path.join(world.outside, "old"), "old")
    const { output } = await world.run(
      [
        `echo x > ${world.outside}/new`,
        `echo x >> ${world.outside}/old`,
        `rm -f ${world.outside}/old`,
        `mv ${world.outside} ${world.project}/taken`,
        `echo x > ${world.home}/.bashrc`,
        `echo x > ${world.configHome}/settings.json`,
        `echo x > ${path.dirname(world.root)}/nacre-escape-test`,
        "touch /usr/local/nacre-escape-test"
      ].join("; ")
    )
    expect(output).toContain("Read-only file system")
    expect(fs.readdirSync(world.outside)).toEqual(["old"])
    expect(fs.readFileSync(path.join(world.outside, "old"), "utf8")).toBe("old")
    expect(fs.readdirSync(world.home)).toEqual([".claude"])
    expect(fs.readdirSync(world.configHome)).not.toContain("settings.json")
    expect(exists(path.join(path.dirname(world.root), "nacre-escape-test"))).toBe(false)
  })

  it("finds no way out through links and /proc", async () => {
    putFile(path.join(world.outside, "old"), "old")
    await world.run(
      [
        `ln -s ${world.outside} way && echo x > way/new; echo x > way/old`,
        `ln ${world.outside}/old hard && echo x > hard`,
        `for root in self/root 1/root $$/root self/cwd/..; do echo x > /proc/$root${world.outside}/new; done`,
        `cd /proc/self/fd && for fd in *; do echo x > $fd/../../new; done`,
        `ls /proc | grep -E '^[0-9]+$' | wc -l > ${world.project}/processes`
      ].join("; ")
    )
    expect(fs.readdirSync(world.outside)).toEqual(["old"])
    expect(fs.readFileSync(path.join(world.outside, "old"), "utf8")).toBe("old")
    expect(Number(fs.readFileSync(inProject("processes"), "utf8"))).toBeLessThan(10)
  })

  const missing = ".claude/settings.json .claude/hooks/x .mcp.json .vscode/tasks.json .npmrc .envrc .git/config"
  it.each(missing.split(" "))("cannot create %s where there is none (scenario 15)", async (name) => {
    const { output } = await world.run(
      [
        `mkdir -p ${path.dirname(name)} && echo x > ${name}`,
        `rm -rf ${name.split("/")[0]} && mkdir -p ${path.dirname(name)} && echo x > ${name}`,
        `echo x > other && mv -f other ${name}`,
        `mkdir dir && echo x > dir/y && mv -T dir ${name.split("/")[0]}`,
        `ln -sfT ${world.project}/other ${name}`,
        "true"
      ].join("; ")
    )
    expect(output).toMatch(/Read-only file system|Is a directory|busy/)
    expect((await settled()).filter((entry) => entry.startsWith("."))).toEqual([])
  })

  it("cannot change, move, replace or remove what is protected", async () => {
    const files = [".claude/settings.json", ".mcp.json", ".npmrc", "sub/.claude/a.json", ".claude/agents/a.md"]
    for (const file of files) putFile(inProject(file), "mine")
    for (const file of files) {
      await world.run(
        [
          `echo x > ${file}`,
          `echo x > new; mv -f new ${file}`,
          `rm -rf ${file}`,
          `mv ${file} moved; cp moved ${file}`,
          `ln -sf ${world.outside} ${file}`,
          `chmod 777 ${file}`,
          `mount --bind /dev/null ${file}; umount ${file}`,
          `mv .claude away; mkdir -p .claude; echo x > .claude/settings.json`
        ].join("; ")
      )
    }
    for (const file of files) expect(fs.readFileSync(inProject(file), "utf8"), file).toBe("mine")
  })

  it("protects what came to exist since the command before", async () => {
    await world.run("true")
    putFile(inProject(".claude/settings.json"), "mine")
    putFile(inProject("deep/er/.mcp.json"), "mine")
    putFile(inProject("other/.git/config"), "mine")
    await world.run("echo x > .claude/settings.json; rm -rf .claude; echo x > deep/er/.mcp.json; echo x > other/.git/config")
    expect(fs.readFileSync(inProject("other/.git/config"), "utf8")).toBe("mine")
    expect(fs.readFileSync(inProject(".claude/settings.json"), "utf8")).toBe("mine")
    expect(fs.readFileSync(inProject("deep/er/.mcp.json"), "utf8")).toBe("mine")
  })

  it("keeps masks while another command still needs them, and leaves nothing behind", async () => {
    const first = world.run("echo > started; while [ ! -e go ]; do sleep 0.02; done; echo x > .mcp.json")
    await expect.poll(() => exists(inProject("started"))).toBe(true)
    await world.run("true")
    await world.run("true")
    fs.writeFileSync(inProject("go"), "")
    expect((await first).output).toContain("Is a directory")
    expect(await settled()).toEqual(["go", "started"])
  })

  it("takes over what a crash left behind, and removes it", async () => {
    fs.mkdirSync(inProject(".mcp.json"), { mode: 0o555 })
    fs.mkdirSync(inProject(".claude"), { mode: 0o555 })
    await world.run("echo x > .mcp.json/y; echo x > .claude/settings.json")
    expect(await settled()).toEqual([])
  })

  it("writes nothing through its own temporary directory into the next command", async () => {
    const { output } = await world.run("cd $TMPDIR/.. && rm -f filter; echo x > filter")
    expect(output).toContain("Read-only file system")
  })

  it("never gets to write in a directory just because it starts there", async () => {
    await world.run("echo x > here", { request: { cwd: world.outside } })
    expect(fs.readdirSync(world.outside)).toEqual([])
  })

  it("writes nothing at all in the profile for reading", async () => {
    const { output } = await world.run('echo x > a; echo y > "$TMPDIR/b" && cat "$TMPDIR/b"', {
      request: { profile: "readonly" },
      settings: { network: { allowedDomains: ["example.com"] } }
    })
    expect(output).toContain("y\n")
    expect(fs.readdirSync(world.project)).toEqual([])
  })

  it("follows the settings: more to write, less to write", async () => {
    putFile(inProject("fixed/a"), "mine")
    putFile(inProject("src/generated.ts"), "mine")
    const attempts = ["fixed/a", "src/generated.ts", "absent"].map((file) => `echo x > ${file}`)
    const denyWrite = [`${world.project}/fixed/`, inProject("absent")]
    await world.run([`echo x > ${world.outside}/new; mv fixed gone`, ...attempts].join("; "), {
      settings: { filesystem: { allowWrite: [`${world.outside}/`], denyWrite } },
      request: { uneditable: [`${world.project}/**/generated.*`] }
    })
    expect(fs.readFileSync(path.join(world.outside, "new"), "utf8")).toBe("x\n")
    expect(fs.readFileSync(inProject("fixed/a"), "utf8")).toBe("mine")
    expect(fs.readFileSync(inProject("src/generated.ts"), "utf8")).toBe("mine")
    await expect.poll(() => exists(inProject("absent"))).toBe(false)
  })

  it("refuses to run over a link that it could not protect", async () => {
    fs.symlinkSync(world.outside, inProject(".claude"))
    await expect(world.run("true")).rejects.toThrow(/\.claude is a symbolic link.*Fix:/)
  })
})

describe.skipIf(!sandboxWorks())("git in a sandbox", () => {
  beforeEach(() => makeRepository(world.project))

  it("adds, commits, branches, merges and collects garbage as ever", async () => {
    const { code, output } = await world.run(
      [
        "set -e",
        IDENTITY,
        "echo two >> a.txt; echo new > b.txt",
        "git status --short; git add -A; git commit -qm second",
        "git checkout -qb side; echo three >> a.txt; git commit -qam third; git checkout -q main; git merge -q side",
        "git stash list; git gc -q; git log --oneline | wc -l; git status --short; git ls-files"
      ].join("\n")
    )
    expect({ code, output }).toEqual({ code: 0, output: " M a.txt\n?? b.txt\n3\na.txt\nb.txt\n" })
    expect(git(world.project, "status", "--short")).toBe("")
    await settled()
    expect(exists(inProject(".git/commondir"))).toBe(false)
    expect(git(world.project, "log", "--format=%s", "-1")).toBe("third\n")
  })

  it("cannot plant hooks, configuration, attributes or another directory", async () => {
    const config = fs.readFileSync(inProject(".git/config"), "utf8")
    const hooks = fs.readdirSync(inProject(".git/hooks")).toSorted()
    await world.run(
      [
        "git config core.fsmonitor ./evil",
        "echo '[core] fsmonitor=./evil' >> .git/config",
        "cp .git/config .git/c2; mv -f .git/c2 .git/config",
        "echo x > .git/hooks/pre-commit; mv .git/hooks .git/h2; mkdir .git/hooks; echo x > .git/hooks/pre-commit",
        "echo '* filter=evil' > .git/info/attributes",
        "mv .git/info .git/i2; mkdir .git/info; echo x > .git/info/attributes",
        `echo ${world.project}/evil > .git/commondir`,
        "echo x > .git/config.worktree",
        "mv .git .old; mkdir .git; cp -r .old/. .git; echo x > .git/config",
        "rm -rf .git/hooks .git/config",
        "git config --global core.hooksPath ./evil; git config --worktree core.fsmonitor ./evil"
      ].join("; ")
    )
    expect(fs.readFileSync(inProject(".git/config"), "utf8")).toBe(config)
    expect(fs.readdirSync(inProject(".git/hooks")).toSorted()).toEqual(hooks)
    await settled()
    expect(exists(inProject(".git/info/attributes"))).toBe(false)
    expect(exists(inProject(".git/commondir"))).toBe(false)
    expect(exists(inProject(".git/config.worktree"))).toBe(false)
    expect(exists(path.join(world.home, ".gitconfig"))).toBe(false)
  })

  it("works where work trees may have configuration of their own, and none has any", async () => {
    git(world.project, "config", "extensions.worktreeConfig", "true")
    const { code, output } = await world.run(`${IDENTITY}; git status --short && git commit -q --allow-empty -m second`)
    expect({ code, output }).toEqual({ code: 0, output: "" })
    await world.run(
      "git config --worktree core.fsmonitor ./evil; echo EVIL > .git/config.worktree; rm -f .git/config.worktree"
    )
    await settled()
    expect(exists(inProject(".git/config.worktree"))).toBe(false)
    expect(git(world.project, "log", "--format=%s", "-1")).toBe("second\n")
  })

  it("works in a linked work tree, whose repository is elsewhere", async () => {
    const tree = path.join(world.root, "tree")
    git(world.project, "worktree", "add", "-q", tree)
    const request = { workingDirs: [tree], cwd: tree }
    const { code } = await world.run(`${IDENTITY}; echo two >> a.txt; git commit -qam second`, { request })
    expect(code).toBe(0)
    expect(git(tree, "log", "--format=%s", "-1")).toBe("second\n")
    const config = fs.readFileSync(inProject(".git/config"), "utf8")
    const named = fs.readFileSync(path.join(tree, ".git"), "utf8")
    await world.run(
      [
        `echo x >> ${world.project}/.git/config`,
        `echo x > ${world.project}/.git/hooks/post-commit`,
        `echo gitdir: /evil > .git; rm -f .git; mv .git x`,
        `echo x > ${world.project}/.git/worktrees/tree/commondir`,
        `echo x > ${world.project}/a.txt`
      ].join("; "),
      { request }
    )
    expect(fs.readFileSync(inProject(".git/config"), "utf8")).toBe(config)
    expect(fs.readFileSync(path.join(tree, ".git"), "utf8")).toBe(named)
    expect(exists(inProject(".git/hooks/post-commit"))).toBe(false)
    expect(fs.readFileSync(inProject("a.txt"), "utf8")).toBe("one\n")
    expect(fs.readFileSync(inProject(".git/worktrees/tree/commondir"), "utf8")).toBe("../..\n")
  })

  it("opens nothing because of a planted .git file", async () => {
    const planted = path.join(world.root, "planted")
    fs.mkdirSync(planted)
    putFile(path.join(planted, ".git"), `gitdir: ${world.outside}\n`)
    const request = { workingDirs: [planted], cwd: planted }
    await world.run(`echo x > ${world.outside}/new; echo x > .git`, { request })
    expect(fs.readdirSync(world.outside)).toEqual([])
    expect(fs.readFileSync(path.join(planted, ".git"), "utf8")).toContain("gitdir:")
  })
})

describe.skipIf(!sandboxWorks())("a directory without repository", () => {
  it("does not become one, neither with nor without a work tree", async () => {
    await world.run(
      [
        "git init -q .",
        "git init -q --bare .",
        "mkdir -p objects refs; echo 'ref: refs/heads/main' > HEAD",
        "printf '[core]\\n\\tbare=false\\n\\tfsmonitor=./evil\\n' > config",
        "echo 'ref: refs/heads/main' > h; mv -f h HEAD"
      ].join("; ")
    )
    expect((await settled()).filter((name) => name === "HEAD" || name === ".git")).toEqual([])
    expect(() => git(world.project, "rev-parse", "--git-dir")).toThrow()
  })
})

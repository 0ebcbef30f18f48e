import fs from "node:fs"
import path from "node:path"
import { contentOf, type Escape, git, isChanged, isRead, NOTHING, type Prepared } from "./sandbox-escapes.ts"
import type { RunOptions, SandboxWorld } from "./sandbox-world.ts"
import { putFile, putLink } from "./temp-world.ts"

/** Ways around what settings and rules say, and around what is protected further down than the project itself. */
type OptionsOf = (world: SandboxWorld) => RunOptions

const denyRead =
  (...globs: ReadonlyArray<string>): OptionsOf =>
  ({ project, outside }) => ({
    settings: {
      filesystem: { denyRead: globs.map((glob) => glob.replace("PROJECT", project).replace("OUTSIDE", outside)) }
    }
  })

const denyWrite =
  (name: string): OptionsOf =>
  ({ project }) => ({ settings: { filesystem: { denyWrite: [path.join(project, name)] } } })

const opening =
  (which: "outside" | "root"): OptionsOf =>
  (world) => ({ settings: { filesystem: { allowWrite: [world[which]] } } })

const secretAt =
  (name: string, place: "project" | "outside" = "project") =>
  (world: SandboxWorld): Prepared => {
    putFile(path.join(world[place], name), "SECRET-1")
    return NOTHING
  }

const put =
  (...names: ReadonlyArray<string>) =>
  (world: SandboxWorld): Prepared => {
    for (const name of names) putFile(path.join(world.root, name), "mine\n")
    return NOTHING
  }

const isEvil =
  (...names: ReadonlyArray<string>) =>
  ({ root }: SandboxWorld): boolean =>
    names.some((name) => contentOf(path.join(root, name)).includes("EVIL"))

const commit = (cwd: string): void => {
  git(cwd, "init", "-q")
  putFile(path.join(cwd, "file"), "text\n")
  git(cwd, "add", ".")
  git(cwd, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first")
}

const withSubmodule = ({ project, outside }: SandboxWorld): Prepared => {
  commit(outside)
  commit(project)
  git(project, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", outside, "sub")
  return NOTHING
}

/** A program that the next `git status` of the user runs, if it was planted well. */
const PLANT = ({ root }: SandboxWorld): string =>
  `printf '#!/bin/sh\\ntouch ${root}/ran\\n' > run.sh; chmod +x run.sh; git init -q evil; ` +
  'git -C evil config core.fsmonitor "$PWD/run.sh"; '

const runsWithStatus = ({ project, root }: SandboxWorld): boolean => {
  try {
    git(project, "status")
  } catch {
    return false
  }
  return fs.existsSync(path.join(root, "ran"))
}

const OPENED_NAMES = [".claude/settings.json", ".mcp.json", ".git/hooks/pre-commit", ".envrc"]
const plantIn = (directory: string): string =>
  OPENED_NAMES.map((name) => `mkdir -p $(dirname ${directory}/${name}); echo EVIL > ${directory}/${name}`).join("; ")

export const RULE_ESCAPES: ReadonlyArray<Escape> = [
  {
    name: "a secret far below the directory a wildcard begins in",
    prepare: secretAt("a/b/c/d/e/f/.env"),
    options: denyRead("PROJECT/**/.env"),
    command: () => "cat a/b/c/d/e/f/.env",
    isOut: isRead
  },
  {
    name: "a secret behind more directories than a quick search sees",
    prepare: (world) => {
      for (let at = 0; at < 700; at++) fs.mkdirSync(path.join(world.project, `d${at}`))
      return secretAt("d699/inner/.env")(world)
    },
    options: denyRead("PROJECT/**/.env"),
    command: () => "cat d699/inner/.env",
    isOut: isRead
  },
  {
    name: "a secret among installed packages",
    prepare: secretAt("node_modules/some/.env"),
    options: denyRead("PROJECT/**/.env"),
    command: () => "cat node_modules/some/.env",
    isOut: isRead
  },
  {
    name: "a secret that a wildcard names outside of the project",
    prepare: secretAt("keys/one.pem", "outside"),
    options: denyRead("OUTSIDE/*/*.pem"),
    command: ({ outside }) => `cat ${outside}/keys/one.pem`,
    isOut: isRead
  },
  {
    name: "a secret whose name is written with other characters that look and count the same",
    prepare: secretAt("cafe\u0301/key"),
    options: denyRead("PROJECT/caf\u00e9"),
    command: () => "cat caf*/key",
    isOut: isRead
  },
  {
    name: "the token of a package manager",
    prepare: ({ home }) => {
      putFile(path.join(home, ".npmrc"), "//registry.example/:_authToken=SECRET-1\n")
      return NOTHING
    },
    command: () => "cat ~/.npmrc; cp ~/.npmrc copy; cat copy",
    isOut: isRead
  },
  {
    name: "a hidden directory moved away, to be read by the next command",
    prepare: secretAt("private/inner/key"),
    options: denyRead("PROJECT/private/inner/key"),
    command: () => "mv private other; cat other/inner/key",
    isOut: (world) => contentOf(path.join(world.project, "other/inner/key")).includes("SECRET-1")
  },
  {
    name: "the directory above a denied file exchanged",
    prepare: put("project/conf/deep/prod.yml"),
    options: denyWrite("conf/deep/prod.yml"),
    command: () => "mv conf away; mkdir -p conf/deep; echo EVIL > conf/deep/prod.yml",
    isOut: isEvil("project/conf/deep/prod.yml")
  },
  {
    name: "the directory above a denied file that does not exist exchanged",
    prepare: put("project/conf/other.yml"),
    options: denyWrite("conf/prod.yml"),
    command: () => "mv conf away; mkdir -p conf; echo EVIL > conf/prod.yml",
    isOut: isEvil("project/conf/prod.yml")
  },
  {
    name: "the directory above a protected file further down exchanged",
    prepare: put("project/packages/one/.npmrc"),
    command: () => "mv packages away; mkdir -p packages/one; echo EVIL > packages/one/.npmrc",
    isOut: isEvil("project/packages/one/.npmrc")
  },
  {
    name: "what tools act on, in a directory that settings open",
    options: opening("outside"),
    command: ({ outside }) => plantIn(outside),
    isOut: isEvil(...OPENED_NAMES.map((name) => `outside/${name}`))
  },
  {
    name: "the same where it exists already",
    prepare: put(...OPENED_NAMES.map((name) => `outside/${name}`)),
    options: opening("outside"),
    command: ({ outside }) => plantIn(outside),
    isOut: isEvil(...OPENED_NAMES.map((name) => `outside/${name}`))
  },
  {
    name: "the same in a directory that a rule for edits opens",
    prepare: put(...OPENED_NAMES.map((name) => `outside/${name}`)),
    options: ({ outside }) => ({ request: { editable: [outside] } }),
    command: ({ outside }) => plantIn(outside),
    isOut: isEvil(...OPENED_NAMES.map((name) => `outside/${name}`))
  },
  {
    name: "a repository in a directory that settings open",
    prepare: ({ outside }) => {
      commit(outside)
      return NOTHING
    },
    options: opening("outside"),
    command: ({ outside }) =>
      `mkdir -p ${outside}/.git/hooks; echo EVIL > ${outside}/.git/hooks/pre-commit; ` +
      `git -C ${outside} config core.fsmonitor EVIL`,
    isOut: isEvil("outside/.git/hooks/pre-commit", "outside/.git/config")
  },
  {
    name: "the home directory, moved away in a directory that settings open",
    prepare: put("home/.bashrc"),
    options: opening("root"),
    command: ({ home, root }) =>
      `echo EVIL > ${home}/.bashrc; mkdir -p ${home}/.config/git; echo EVIL > ${home}/.config/git/config; ` +
      `mv ${home} ${root}/away; mkdir -p ${home}/.claude; echo EVIL > ${home}/.bashrc; ` +
      `echo EVIL > ${home}/.claude/settings.json`,
    isOut: isEvil("home/.bashrc", "home/.config/git/config", "home/.claude/settings.json")
  },
  {
    name: "git's own directory below .config moved away",
    prepare: put("home/.config/git/config"),
    options: ({ home }) => ({ request: { workingDirs: [home], cwd: home } }),
    command: ({ home }) => `cd ${home}; mv .config away; mkdir -p .config/git; echo EVIL > .config/git/config`,
    isOut: isEvil("home/.config/git/config")
  },
  {
    name: "a link in the place of a protected file exchanged",
    prepare: ({ project }) => {
      putFile(path.join(project, "shared/npmrc"), "mine\n")
      putLink(path.join(project, ".npmrc"), "shared/npmrc")
      return NOTHING
    },
    command: () => "rm .npmrc; echo EVIL > .npmrc",
    isOut: isChanged(".npmrc")
  },
  {
    name: "the file that says where a sub-module's repository is",
    prepare: withSubmodule,
    command: (world) => `${PLANT(world)}echo "gitdir: ../evil/.git" > sub/.git`,
    isOut: runsWithStatus
  },
  {
    name: "a sub-module exchanged for another repository",
    prepare: withSubmodule,
    command: (world) => `${PLANT(world)}mv sub away; mv evil sub`,
    isOut: runsWithStatus
  },
  {
    name: "the repository of a sub-module led elsewhere",
    prepare: withSubmodule,
    command: (world) =>
      `${PLANT(world)}rm -rf evil; cp -r .git/modules/sub evil; sed -i "s#worktree = .*#worktree = $PWD/sub#" evil/config; ` +
      'printf "[core]\\n\\tfsmonitor = $PWD/run.sh\\n" >> evil/config; echo "$PWD/evil" > .git/modules/sub/commondir',
    isOut: runsWithStatus
  },
  {
    name: "hooks and attributes of a repository inside the project that has none yet",
    prepare: ({ project }) => {
      fs.mkdirSync(path.join(project, "inner"))
      git(path.join(project, "inner"), "init", "-q", "--template=")
      return NOTHING
    },
    command: () =>
      "mkdir -p inner/.git/hooks inner/.git/info; echo EVIL > inner/.git/hooks/pre-commit; echo EVIL > inner/.git/info/attributes",
    isOut: isEvil("project/inner/.git/hooks/pre-commit", "project/inner/.git/info/attributes")
  }
]

import { execFileSync, spawn, spawnSync } from "node:child_process"
import { createSocket } from "node:dgram"
import fs from "node:fs"
import { createServer } from "node:net"
import path from "node:path"
import type { RunOptions, SandboxWorld } from "./sandbox-world.ts"
import { putFile, putLink } from "./temp-world.ts"

/**
 * Ways out that were used against sandboxes. Each is tried twice in worlds of their own: without a sandbox it must
 * work, or it would prove nothing, and inside it must not. What counts is the host afterwards.
 */
export interface Escape {
  readonly name: string
  /** Makes what the attempt is about; the answer takes it away again. */
  readonly prepare?: (world: SandboxWorld) => Promise<Prepared> | Prepared
  /** Settings and rules that hold meanwhile; without them those of a fresh start. */
  readonly options?: (world: SandboxWorld) => RunOptions
  readonly command: (world: SandboxWorld, prepared: Prepared) => string
  readonly isOut: (world: SandboxWorld, output: string, prepared: Prepared) => boolean
  /** Some machines close it to everybody: then only the inside counts. */
  readonly mayBeClosed?: true
}

export interface Prepared {
  readonly port?: number
  readonly visits?: () => number
  readonly close?: () => void
}

export const NOTHING: Prepared = {}

const madeOutside = ({ outside }: SandboxWorld): boolean => fs.existsSync(path.join(outside, "made"))

export const contentOf = (file: string): string => {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

export const isChanged =
  (name: string, place: "project" | "home" = "project") =>
  (world: SandboxWorld): boolean =>
    contentOf(path.join(world[place], name)).includes("EVIL")

const putIn =
  (name: string, place: "project" | "home" = "project") =>
  (world: SandboxWorld): Prepared => {
    putFile(path.join(world[place], name), "mine\n")
    return NOTHING
  }

export const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-c", "init.defaultBranch=main", ...args], { cwd, encoding: "utf8" })

const repository = ({ project }: SandboxWorld): Prepared => {
  git(project, "init", "-q")
  return NOTHING
}

export const secret = ({ home }: SandboxWorld): Prepared => {
  putFile(path.join(home, ".ssh/id_ed25519"), "SECRET-1")
  return NOTHING
}

export const isRead = (_world: SandboxWorld, output: string): boolean => output.includes("SECRET-1")

const streamServer =
  (where: (world: SandboxWorld) => string) =>
  (world: SandboxWorld): Promise<Prepared> =>
    new Promise((resolve) => {
      let visits = 0
      const server = createServer((socket) => void (visits++, socket.end("hello")))
      server.listen({ path: where(world) }, () => resolve({ visits: () => visits, close: () => server.close() }))
    })

const nameServer = (): Promise<Prepared> =>
  new Promise((resolve) => {
    let visits = 0
    const socket = createSocket("udp4", () => void visits++)
    socket.bind(0, "127.0.0.1", () =>
      resolve({ port: socket.address().port, visits: () => visits, close: () => socket.close() })
    )
  })

/** Node knows no such sockets. */
const datagramServer = (socket: string): Promise<Prepared> =>
  new Promise((resolve) => {
    const script =
      "use Socket; socket(my $s, AF_UNIX, SOCK_DGRAM, 0); bind($s, pack_sockaddr_un($ARGV[0])); $| = 1; print qq(ready\n); " +
      "recv($s, my $got, 100, 0); open(my $f, '>', $ARGV[1]); print $f $got; close $f;"
    const server = spawn("perl", ["-e", script, socket, path.join(path.dirname(socket), "received")])
    server.stdout.once("data", () => resolve({ close: () => void server.kill() }))
  })

const isVisited = (_world: SandboxWorld, _output: string, { visits }: Prepared): boolean => (visits?.() ?? 0) > 0

/** Asks with bytes of a real question for a name, and says when they are away. */
const ASK_BY_NAME =
  "\\x00\\x01\\x01\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x06secret\\x07example\\x00\\x00\\x01\\x00\\x01"

const connect = (where: string): string =>
  `${process.execPath} -e 'require("net").connect(${where}).on("connect", function () { this.end() }).on("error", () => 0)'`

const isArm = process.arch === "arm64"
const calls = (number: number, ...args: ReadonlyArray<string>): string =>
  `perl -e 'my $b = "\\0" x 256; print syscall(${[number, ...args].join(", ")}) >= 0 ? "DID-IT" : "no: $!"'`
const didIt = (_world: SandboxWorld, output: string): boolean => output.includes("DID-IT")

export const ESCAPES: ReadonlyArray<Escape> = [
  {
    name: "a link out of the project, made inside",
    command: ({ outside }) => `ln -s ${outside} link; echo EVIL > link/made`,
    isOut: madeOutside
  },
  {
    name: "a link out of the project that was there before",
    prepare: ({ project, outside }) => {
      putLink(path.join(project, "link"), outside)
      return NOTHING
    },
    command: () => "echo EVIL > link/made; cp /etc/hostname link/made",
    isOut: madeOutside
  },
  {
    name: "a chain of links and parents",
    command: ({ outside }) => `mkdir -p a/b; ln -s ../../.. a/b/up; echo EVIL > a/b/up/${path.basename(outside)}/made`,
    isOut: madeOutside
  },
  {
    name: "the root of the own process",
    command: ({ outside }) => `echo EVIL > /proc/self/root${outside}/made; echo EVIL > /proc/self/cwd/../outside/made`,
    isOut: madeOutside
  },
  {
    name: "a secret through the root of the own process",
    prepare: secret,
    command: ({ home }) => `cat /proc/self/root${home}/.ssh/id_ed25519 /proc/thread-self/root${home}/.ssh/id_ed25519`,
    isOut: isRead
  },
  {
    name: "a secret through a link in the project",
    prepare: (world) => {
      secret(world)
      putLink(path.join(world.project, "key"), path.join(world.home, ".ssh/id_ed25519"))
      return NOTHING
    },
    command: () => "cat key; cp -L key copy; cat copy; tar chf - key | tar xOf -",
    isOut: isRead
  },
  {
    name: "a secret by a hard link",
    prepare: secret,
    command: ({ home }) => `ln ${home}/.ssh/id_ed25519 key; cat key`,
    isOut: isRead
  },
  {
    name: "a file outside by a hard link",
    prepare: putIn(".bashrc", "home"),
    command: ({ home }) => `ln ${home}/.bashrc rc; echo EVIL >> rc`,
    isOut: isChanged(".bashrc", "home")
  },
  {
    name: "a protected file by a hard link",
    prepare: putIn(".mcp.json"),
    command: () => "ln .mcp.json other; echo EVIL > other",
    isOut: isChanged(".mcp.json")
  },
  {
    name: "another file renamed over a protected one",
    prepare: putIn(".claude/settings.json"),
    command: () => "echo EVIL > new; mv -f new .claude/settings.json",
    isOut: isChanged(".claude/settings.json")
  },
  {
    name: "the directory of a protected file exchanged",
    prepare: putIn(".claude/settings.json"),
    command: () => "mv .claude away; mkdir .claude; echo EVIL > .claude/settings.json",
    isOut: isChanged(".claude/settings.json")
  },
  {
    name: "settings that did not exist",
    command: () => "mkdir -p .claude; echo EVIL > .claude/settings.json; echo EVIL > .claude/settings.local.json",
    isOut: (world) => isChanged(".claude/settings.json")(world) || isChanged(".claude/settings.local.json")(world)
  },
  {
    name: "settings that are made while nobody looks",
    command: () => "(sleep 0.2; mkdir -p .claude; echo EVIL > .claude/settings.json; echo EVIL > .mcp.json) & wait",
    isOut: (world) => isChanged(".claude/settings.json")(world) || isChanged(".mcp.json")(world)
  },
  {
    name: "the start file of a shell",
    prepare: putIn(".bashrc", "home"),
    command: () => "echo EVIL >> ~/.bashrc; sed -i s/mine/EVIL/ ~/.bashrc",
    isOut: isChanged(".bashrc", "home")
  },
  {
    name: "a hook of git",
    prepare: repository,
    command: () => "echo EVIL > .git/hooks/pre-commit; mkdir -p .git/hooks; cp /dev/stdin .git/hooks/post-commit <<< EVIL",
    isOut: (world) => isChanged(".git/hooks/pre-commit")(world) || isChanged(".git/hooks/post-commit")(world)
  },
  {
    name: "the configuration of git",
    prepare: repository,
    command: () => "git config core.fsmonitor EVIL; echo '[alias] x = !EVIL' >> .git/config",
    isOut: isChanged(".git/config")
  },
  {
    name: "a repository planted without work tree",
    command: () =>
      "mkdir -p objects refs; echo 'ref: refs/heads/main' > HEAD; printf '[core]\\n\\tfsmonitor = EVIL\\n' > config",
    isOut: ({ project }) => spawnSync("git", ["rev-parse", "--git-dir"], { cwd: project }).status === 0
  },
  {
    name: "a socket with a path, such as the one of docker",
    prepare: streamServer(({ outside }) => path.join(outside, "docker.sock")),
    command: ({ outside }) => connect(`"${outside}/docker.sock"`),
    isOut: isVisited
  },
  {
    name: "a socket without a path",
    prepare: streamServer(({ root }) => `\0${path.basename(root)}`),
    command: ({ root }) => connect(`String.fromCharCode(0) + "${path.basename(root)}"`),
    isOut: isVisited
  },
  {
    name: "a socket for datagrams with a path, reached from a pair",
    prepare: ({ outside }) => datagramServer(path.join(outside, "log.sock")),
    command: ({ outside }) =>
      "perl -MSocket -e 'for my $t (2, 3) { socketpair(my $a, my $b, AF_UNIX, $t, 0) or next; " +
      `send($a, "hello", 0, pack_sockaddr_un("${outside}/log.sock")) }'; sleep 0.2`,
    isOut: ({ outside }) => contentOf(path.join(outside, "received")).includes("hello")
  },
  {
    name: "a question for a name, by UDP",
    prepare: nameServer,
    command: (_world, { port }) => `printf '${ASK_BY_NAME}' > /dev/udp/127.0.0.1/${port ?? 0}; sleep 0.1`,
    isOut: isVisited
  },
  {
    name: "tracing",
    command: () => calls(isArm ? 117 : 101, "0", "0", "0", "0"),
    isOut: didIt,
    mayBeClosed: true
  },
  {
    name: "the memory of another process",
    command: () => calls(isArm ? 270 : 310, "$$", "$b", "0", "$b", "0", "0"),
    isOut: didIt,
    mayBeClosed: true
  },
  {
    name: "a user namespace of its own, in which it has every right",
    command: () => calls(isArm ? 97 : 272, "0x10020000"),
    isOut: didIt,
    mayBeClosed: true
  },
  {
    name: "a program that runs with its owner's rights, left behind",
    command: () =>
      "cp /bin/true one; chmod u+s one; install -m 4755 /bin/true two; " +
      "perl -e 'sysopen(my $f, q(three), 0101, 04755)'; python3 -c 'import os; os.mknod(\"four\", 0o104755)'",
    isOut: ({ project }) =>
      ["one", "two", "three", "four"].some(
        (name) => ((fs.statSync(path.join(project, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o4000) !== 0
      )
  },
  { name: "io_uring", command: () => calls(425, "1", "$b"), isOut: didIt, mayBeClosed: true },
  { name: "keys of the kernel", command: () => calls(isArm ? 219 : 250, "0", "-3", "1"), isOut: didIt, mayBeClosed: true },
  {
    name: "namespaces of the host, entered",
    prepare: secret,
    command: ({ home }) => `nsenter -t ${process.pid} -m -n cat ${home}/.ssh/id_ed25519`,
    isOut: isRead,
    mayBeClosed: true
  },
  {
    name: "namespaces of its own, to take the layers away",
    prepare: (world) => {
      secret(world)
      return putIn(".mcp.json")(world)
    },
    command: ({ home }) =>
      `unshare -rm sh -c 'umount -l ${home}/.ssh; umount -l .mcp.json; mount -o remount,rw /; ` +
      `cat ${home}/.ssh/id_ed25519; echo EVIL > .mcp.json'`,
    isOut: (world, output) => isRead(world, output) || isChanged(".mcp.json")(world),
    mayBeClosed: true
  },
  {
    name: "a process of the host, signalled",
    command: () => `kill -0 ${process.pid} && echo DID-IT`,
    isOut: didIt
  },
  {
    name: "the environment of a process of the host",
    command: () => `cat /proc/${process.pid}/environ > /dev/null && echo DID-IT`,
    isOut: didIt
  },
  {
    name: "another temporary directory",
    command: ({ outside }) => `TMPDIR=${outside} mktemp; export TMPDIR=${outside}; echo EVIL > "$TMPDIR/made"`,
    isOut: madeOutside
  },
  {
    name: "the temporary directory exchanged for a link",
    command: ({ outside }) => `rm -rf "$TMPDIR"; ln -sfn ${outside} "$TMPDIR"; echo EVIL > "$TMPDIR/made"`,
    isOut: madeOutside
  },
  {
    name: "what lies beside the temporary directory",
    command: () => 'echo EVIL > "$TMPDIR/../beside" && echo DID-IT; rm -f "$TMPDIR/../beside"',
    isOut: didIt
  },
  {
    name: "a device of the host",
    command: () => "mknod disk b 7 0 && echo DID-IT",
    isOut: didIt,
    mayBeClosed: true
  }
]

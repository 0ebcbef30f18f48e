import { existsSync, lstatSync, readFileSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { type ConfigEntry, readGitConfig } from "../../core/permission/bash/proofs/git-config.ts"
import type { RepositoryFacts } from "../../core/permission/bash/shell-analysis.ts"
import { gitlinksIn } from "./gitlinks.ts"

const CONFIG_BYTES = 1024 * 1024
const INCLUDE_DEPTH = 10
const LINKS = 100
const LINK_DEPTH = 4

interface Reading {
  readonly entries: Array<ConfigEntry>
  unreadable: boolean
}

/** A configuration that is not there says nothing; one that cannot be read could say anything. */
const readFile = (path: string, reading: Reading): string | undefined => {
  try {
    const stat = statSync(path)
    if (stat.isFile() && stat.size <= CONFIG_BYTES) return readFileSync(path, "utf8")
    reading.unreadable = true
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code !== "ENOENT" && code !== "ENOTDIR") reading.unreadable = true
  }
  return undefined
}

const includedPath = (value: string, from: string): string =>
  value.startsWith("~/") ? join(homedir(), value.slice(2)) : resolve(dirname(from), value)

/** Includes are followed whatever their condition says: one that does not hold now may hold for git. */
const readConfig = (path: string, reading: Reading, depth: number): void => {
  const text = readFile(path, reading)
  if (text === undefined) return
  const { entries, isSound } = readGitConfig(text)
  if (!isSound || depth >= INCLUDE_DEPTH) reading.unreadable = true
  for (const entry of entries) {
    reading.entries.push(entry)
    const isInclude = entry.key === "include.path" || (entry.key.startsWith("includeif.") && entry.key.endsWith(".path"))
    if (isInclude && depth < INCLUDE_DEPTH) readConfig(includedPath(entry.value, path), reading, depth + 1)
  }
}

const looksBare = (directory: string): boolean =>
  ["HEAD", "objects", "refs"].every((name) => existsSync(join(directory, name)))

/** Linked worktrees keep the common part elsewhere. */
const commonDirOf = (gitDir: string, reading: Reading): string => {
  const text = readFile(join(gitDir, "commondir"), reading)
  return text === undefined ? gitDir : resolve(gitDir, text.trim())
}

const gitDirAt = (directory: string, reading: Reading): string | undefined => {
  const dotGit = join(directory, ".git")
  try {
    const stat = lstatSync(dotGit)
    if (stat.isDirectory()) return dotGit
    if (stat.isSymbolicLink() && statSync(dotGit).isDirectory()) return dotGit
  } catch {
    return undefined
  }
  const named = /^gitdir: (.+)$/m.exec(readFile(dotGit, reading) ?? "")?.[1]
  if (named === undefined) reading.unreadable = true
  return named === undefined ? undefined : resolve(directory, named.trim())
}

interface Repository {
  readonly root: string
  readonly gitDir: string
}

const findRepository = (directory: string, reading: Reading): Repository | undefined => {
  const gitDir = gitDirAt(directory, reading)
  if (gitDir !== undefined) return { root: directory, gitDir }
  const parent = dirname(directory)
  return parent === directory || reading.unreadable ? undefined : findRepository(parent, reading)
}

/** An index that is not there names nothing. */
const readLinks = (gitDir: string, reading: Reading): ReadonlyArray<string> => {
  const isLongHash = reading.entries.some(({ key, value }) => key === "extensions.objectformat" && value === "sha256")
  try {
    const links = gitlinksIn(readFileSync(join(gitDir, "index")), isLongHash ? 32 : 20)
    if (links === undefined || links.length > LINKS) reading.unreadable = true
    return links?.slice(0, LINKS) ?? []
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code !== "ENOENT") reading.unreadable = true
    return []
  }
}

/** A repository and those that it contains: `git status` starts git in them, which then obeys what they say. */
const readRepository = ({ root, gitDir }: Repository, reading: Reading, depth: number): void => {
  const common = commonDirOf(gitDir, reading)
  const files = [join(common, "config"), join(common, "config.worktree"), join(gitDir, "config.worktree")]
  for (const path of new Set(files)) readConfig(path, reading, 0)
  for (const link of readLinks(gitDir, reading)) {
    const inner = join(root, link)
    const innerDir = gitDirAt(inner, reading)
    if (innerDir === undefined) continue
    if (depth < LINK_DEPTH) readRepository({ root: inner, gitDir: innerDir }, reading, depth + 1)
    else reading.unreadable = true
  }
}

export const configurationOf = (directory: string): RepositoryFacts => {
  const reading: Reading = { entries: [], unreadable: false }
  const repository = findRepository(directory, reading)
  if (repository !== undefined) readRepository(repository, reading, 0)
  return {
    ...(repository === undefined ? {} : { root: repository.root }),
    entries: reading.entries,
    looksBare: looksBare(directory),
    ...(reading.unreadable ? { unreadable: true } : {})
  }
}

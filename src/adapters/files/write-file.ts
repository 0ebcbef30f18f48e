import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { isSpecialPath } from "../../core/edit/path.ts"
import type { PathFact } from "../../core/permission/need.ts"
import type { WriteRequest, Written } from "../../core/ports/Files.ts"
import { codeOf, fileError } from "./failure.ts"
import { portStat, refuseUnlessRegular, requireSamePlace, resolveApproved } from "./guarded-open.ts"
import type { FileOps } from "./ops.ts"
import { replaceFile, writeInPlace } from "./replace-file.ts"
import { removeQuietly, syncDirectory, type TempFile, writeTemp } from "./temp-file.ts"

const appeared = (fact: PathFact): Error =>
  fileError("stale", fact.path, `${fact.path} exists by now although it should be new`)

/** File systems without hard links answer so. */
const NO_LINKS = new Set(["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"])

/** Gives a finished file its name, and never takes a name that is in use. */
const place = (ops: FileOps, temp: TempFile, fact: PathFact): void => {
  try {
    ops.link(temp.path, fact.realPath)
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw appeared(fact)
    if (!NO_LINKS.has(codeOf(error) ?? "")) throw error
    const isFree = (): boolean => fs.lstatSync(fact.realPath, { throwIfNoEntry: false }) === undefined
    if (!ops.replace(temp.path, fact.realPath, isFree)) throw appeared(fact)
  }
}

const makeParents = async (ops: FileOps, fact: PathFact, mode: number): Promise<string | undefined> => {
  try {
    return await ops.mkdir(path.dirname(fact.realPath), mode)
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw fileError("notDirectory", fact.path)
    throw error
  }
}

/** Takes back the empty directories from `directory` up to `made`, after a file could not be created in them. */
const removeParents = async (ops: FileOps, directory: string, made: string): Promise<void> => {
  if (!directory.startsWith(made)) return
  await ops.rmdir(directory)
  await removeParents(ops, path.dirname(directory), made)
}

const createFile = async (ops: FileOps, fact: PathFact, request: WriteRequest): Promise<fs.BigIntStats> => {
  const privately = request.onlyForOwner === true
  const made = await makeParents(ops, fact, privately ? 0o700 : 0o777)
  try {
    await requireSamePlace(ops, fact)
    const directory = path.dirname(fact.realPath)
    const temp = await writeTemp(ops, directory, { bytes: request.bytes, mode: privately ? 0o600 : 0o666 })
    try {
      place(ops, temp, fact)
    } finally {
      await removeQuietly(ops, temp.path)
    }
    await syncDirectory(ops, directory)
    return temp.stat
  } catch (error) {
    if (made !== undefined) await removeParents(ops, path.dirname(fact.realPath), made).catch(() => undefined)
    throw error
  }
}

const vanished = (fact: PathFact): Error => fileError("stale", fact.path, `${fact.path} does not exist any more`)

const changeFile = async (
  ops: FileOps,
  fact: PathFact,
  request: WriteRequest & { readonly expectedHash: string }
): Promise<fs.BigIntStats> => {
  try {
    const target = await ops.lstat(fact.realPath)
    refuseUnlessRegular(fact, target)
    const named = await ops.lstat(fact.path)
    const inPlace = named.isSymbolicLink() || target.nlink > 1n
    return await (inPlace ? writeInPlace : replaceFile)(ops, fact, request)
  } catch (error) {
    throw codeOf(error) === "ENOENT" ? vanished(fact) : error
  }
}

const change = async (ops: FileOps, request: WriteRequest): Promise<fs.BigIntStats> => {
  const { expectedHash } = request
  const fact = await resolveApproved(ops, request.path, request.approvedRealPath)
  if (isSpecialPath(fact.path) || isSpecialPath(fact.realPath)) throw fileError("notRegular", request.path)
  if (expectedHash === null) {
    if (!fact.exists) return createFile(ops, fact, request)
    refuseUnlessRegular(fact, await ops.lstat(fact.realPath))
    throw appeared(fact)
  }
  if (!fact.exists) throw vanished(fact)
  return changeFile(ops, fact, { ...request, expectedHash })
}

export const writeFile = async (ops: FileOps, request: WriteRequest): Promise<Written> => {
  const stat = await change(ops, request)
  return { hash: createHash("sha256").update(request.bytes).digest("hex"), stat: portStat(stat) }
}

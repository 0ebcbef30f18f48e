import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { isSpecialPath } from "../../core/domain/path/path-text.ts"
import type { PathFact } from "../../core/domain/path/path-components.ts"
import type { WriteRequest, Written } from "../../core/ports/Files.ts"
import { codeOf, fileError } from "./failure.ts"
import { type HeldFile, nameIn, portStat, refuseUnlessRegular } from "./guarded-open.ts"
import { withDirectoryOf, withMadeDirectory } from "./held-directory.ts"
import { requireSamePlace, resolveApproved } from "./link-change.ts"
import type { FileOps } from "./ops.ts"
import { replaceFile, writeInPlace } from "./replace-file.ts"
import { removeQuietly, syncDirectory, type TempFile, writeTemp } from "./temp-file.ts"

const appeared = (fact: PathFact): Error =>
  fileError("stale", fact.path, `${fact.path} exists by now although it should be new`)

/** File systems without hard links answer so. */
const NO_LINKS = new Set(["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"])

/** Gives a finished file its name, and never takes a name that is in use. */
const place = (ops: FileOps, temp: TempFile, target: HeldFile): void => {
  const name = nameIn(target)
  try {
    ops.link(temp.path, name)
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw appeared(target.fact)
    if (!NO_LINKS.has(codeOf(error) ?? "")) throw error
    const isFree = (): boolean => fs.lstatSync(name, { throwIfNoEntry: false }) === undefined
    if (!ops.replace(temp.path, name, isFree)) throw appeared(target.fact)
  }
}

const createFile = (ops: FileOps, fact: PathFact, request: WriteRequest): Promise<fs.BigIntStats> => {
  const privately = request.onlyForOwner === true
  const parents = { directory: path.dirname(fact.realPath), mode: privately ? 0o700 : 0o777 }
  return withMadeDirectory(ops, parents, async (held) => {
    requireSamePlace(ops, fact)
    const temp = await writeTemp(ops, held, { bytes: request.bytes, mode: privately ? 0o600 : 0o666 })
    try {
      place(ops, temp, { fact, held })
    } finally {
      await removeQuietly(ops, temp.path)
    }
    await syncDirectory(ops, held)
    return temp.stat
  })
}

const vanished = (fact: PathFact): Error => fileError("stale", fact.path, `${fact.path} does not exist any more`)

const changeFile = async (
  ops: FileOps,
  fact: PathFact,
  request: WriteRequest & { readonly expectedHash: string }
): Promise<fs.BigIntStats> => {
  try {
    return await withDirectoryOf(ops, fact, async (held) => {
      const file = { fact, held }
      const target = await ops.lstat(nameIn(file))
      refuseUnlessRegular(fact, target)
      const named = await ops.lstat(fact.path)
      const inPlace = named.isSymbolicLink() || target.nlink > 1n
      return (inPlace ? writeInPlace : replaceFile)(ops, file, request)
    })
  } catch (error) {
    throw codeOf(error) === "ENOENT" ? vanished(fact) : error
  }
}

const change = async (ops: FileOps, request: WriteRequest): Promise<fs.BigIntStats> => {
  const { expectedHash } = request
  const fact = resolveApproved(ops, request.path, request.approvedRealPath)
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

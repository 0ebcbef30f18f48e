/**
 * What kind of network address a text is. Anything that is not certainly a public address counts as one that a
 * stranger's link must not reach.
 */
export type AddressKind = "public" | "loopback" | "private" | "link-local" | "reserved" | "metadata"

type Bytes = ReadonlyArray<number>

interface Block {
  readonly prefix: Bytes
  readonly bits: number
  readonly kind: AddressKind
}

const OCTET = /^(?:0|[1-9]\d{0,2})$/

const parseV4 = (text: string): Bytes | undefined => {
  const parts = text.split(".")
  if (parts.length !== 4 || !parts.every((part) => OCTET.test(part))) return undefined
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : undefined
}

/** A dotted tail (`::ffff:1.2.3.4`) as two groups. */
const withoutDottedTail = (text: string): string | undefined => {
  if (!text.includes(".")) return text
  const start = text.lastIndexOf(":") + 1
  const [a = 0, b = 0, c = 0, d = 0] = parseV4(text.slice(start)) ?? []
  if (parseV4(text.slice(start)) === undefined) return undefined
  return `${text.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

const groupsOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(":"))

const parseV6 = (text: string): Bytes | undefined => {
  const plain = withoutDottedTail(text)
  const halves = plain?.split("::") ?? []
  if (plain === undefined || halves.length > 2) return undefined
  const [head = "", tail] = halves
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...before, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...after]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
}

const v4 = (text: string, bits: number, kind: AddressKind): Block => ({ prefix: parseV4(text) ?? [], bits, kind })
const v6 = (text: string, bits: number, kind: AddressKind): Block => ({ prefix: parseV6(text) ?? [], bits, kind })

/** The first block that holds an address decides. Metadata services of the clouds come first. */
const V4_BLOCKS: ReadonlyArray<Block> = [
  v4("169.254.169.254", 32, "metadata"),
  v4("169.254.170.2", 32, "metadata"),
  v4("169.254.170.23", 32, "metadata"),
  v4("100.100.100.200", 32, "metadata"),
  v4("168.63.129.16", 32, "metadata"),
  v4("192.0.0.192", 32, "metadata"),
  v4("0.0.0.0", 8, "reserved"),
  v4("10.0.0.0", 8, "private"),
  v4("100.64.0.0", 10, "private"),
  v4("127.0.0.0", 8, "loopback"),
  v4("169.254.0.0", 16, "link-local"),
  v4("172.16.0.0", 12, "private"),
  v4("192.0.0.0", 24, "reserved"),
  v4("192.0.2.0", 24, "reserved"),
  v4("192.88.99.0", 24, "reserved"),
  v4("192.168.0.0", 16, "private"),
  v4("198.18.0.0", 15, "reserved"),
  v4("198.51.100.0", 24, "reserved"),
  v4("203.0.113.0", 24, "reserved"),
  v4("224.0.0.0", 3, "reserved")
]

const V6_BLOCKS: ReadonlyArray<Block> = [
  v6("fd00:ec2::254", 128, "metadata"),
  v6("fd00:ec2::23", 128, "metadata"),
  v6("fd20:ce::254", 128, "metadata"),
  v6("::1", 128, "loopback"),
  v6("::", 128, "reserved"),
  v6("64:ff9b:1::", 48, "reserved"),
  v6("100::", 64, "reserved"),
  v6("2001::", 23, "reserved"),
  v6("2001:db8::", 32, "reserved"),
  v6("fc00::", 7, "private"),
  v6("fe80::", 10, "link-local"),
  v6("fec0::", 10, "private"),
  v6("ff00::", 8, "reserved")
]

/** Forms that carry an IPv4 address: mapped, compatible, translated (NAT64) and 6to4, with the place of the address. */
const CARRIERS: ReadonlyArray<Block & { readonly at: number }> = [
  { ...v6("::ffff:0:0", 96, "reserved"), at: 12 },
  { ...v6("::ffff:0:0:0", 96, "reserved"), at: 12 },
  { ...v6("::", 96, "reserved"), at: 12 },
  { ...v6("64:ff9b::", 96, "reserved"), at: 12 },
  { ...v6("2002::", 16, "reserved"), at: 2 }
]

const holds = (block: Block, bytes: Bytes): boolean =>
  Array.from({ length: block.bits }, (_, bit) => bit).every((bit) => {
    const mask = 128 >> (bit & 7)
    return ((block.prefix[bit >> 3] ?? 0) & mask) === ((bytes[bit >> 3] ?? 0) & mask)
  })

const kindIn = (blocks: ReadonlyArray<Block>, bytes: Bytes): AddressKind | undefined =>
  blocks.find((block) => holds(block, bytes))?.kind

const v6Kind = (bytes: Bytes): AddressKind => {
  const own = kindIn(V6_BLOCKS, bytes)
  if (own !== undefined) return own
  const carrier = CARRIERS.find((block) => holds(block, bytes))
  if (carrier !== undefined) return kindIn(V4_BLOCKS, bytes.slice(carrier.at, carrier.at + 4)) ?? "public"
  // Only 2000::/3 is handed out for the public network.
  return ((bytes[0] ?? 0) & 0xe0) === 0x20 ? "public" : "reserved"
}

/** `address` as DNS or a URL gives it; brackets and a zone are accepted. */
export const addressKind = (address: string): AddressKind => {
  const bare = address.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "")
  const four = parseV4(bare)
  if (four !== undefined) return kindIn(V4_BLOCKS, four) ?? "public"
  const six = parseV6(bare)
  return six === undefined ? "reserved" : v6Kind(six)
}

/** Whether a text is an address and not a name. */
export const isAddress = (host: string): boolean => {
  const bare = host.replace(/^\[(.*)\]$/, "$1")
  return parseV4(bare) !== undefined || parseV6(bare.replace(/%.*$/, "")) !== undefined
}

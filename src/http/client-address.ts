import { isIPv4, isIPv6 } from 'node:net'

/** Characters. An address with a zone and a port is shorter; a longer entry is ignored. */
const MAX_ENTRY = 100

/**
 * Returns the client address that rate limits use as their key. Of `X-Forwarded-For`, only the entries that our own
 * proxies wrote are trusted: with `trusted` proxies, the entry that many places from the right end of the chain. If that
 * entry is not an address, the peer's address is used; otherwise a client that can reach the port directly could choose
 * any key. An IPv6 client usually has a whole /64, so the /64 is its address here.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: number): string {
  const chain = [...(forwardedFor ?? '').split(',').map(part => part.trim()), peer].filter(Boolean)
  const entry = chain.at(-1 - Math.min(trusted, chain.length - 1)) ?? peer
  return readAddress(entry) ?? readAddress(peer) ?? peer
}

/** @returns an IPv4 address or an IPv6 /64; null for any other text. */
function readAddress(text: string): string | null {
  if (text.length > MAX_ENTRY) return null
  const address = withoutPort(text)
  if (isIPv4(address)) return address
  return isIPv6(address) ? network(expand(address)) : null
}

/** Some proxies add the port: `203.0.113.7:50123`, `[2001:db8::1]:50123`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? []
  return bracketed ?? plain ?? text
}

/** Returns the eight groups in canonical spelling, also for an address that ends in IPv4 notation. */
function expand(address: string): string[] {
  const [withoutZone = ''] = address.split('%')
  const shortest = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const [head = '', tail] = shortest.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail === undefined) return groups
  const last = tail.split(':').filter(Boolean)
  return [...groups, ...Array(8 - groups.length - last.length).fill('0'), ...last]
}

/** Prefixes of IPv4 addresses mapped into IPv6, by a dual-stack socket or by a translator (NAT64). */
const MAPPED = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']

function network(groups: readonly string[]): string {
  if (MAPPED.includes(groups.slice(0, 6).join(':'))) {
    const bytes = groups.slice(6).flatMap(group => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
    return bytes.join('.')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

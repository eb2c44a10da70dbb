import { isIPv4, isIPv6 } from 'node:net'

/** Characters. An address with a zone and a port is shorter; a longer text is not looked at. */
const MAX_ENTRY = 100

/**
 * The address that limits count against. Of `X-Forwarded-For` only the entries that our own proxies wrote are
 * believed: with `trusted` proxies, the entry that many places from the right end of the chain. An entry that is not
 * an address counts as the peer: where a client can reach the port directly, it would otherwise choose its own name,
 * of any length. An IPv6 client owns a whole /64, so that is its address here.
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

/** Some proxies write the port too: `203.0.113.7:50123`, `[2001:db8::1]:50123`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? []
  return bracketed ?? plain ?? text
}

/** The eight groups, in one spelling of the many that an address has, also of one that ends in IPv4 notation. */
function expand(address: string): string[] {
  const [withoutZone = ''] = address.split('%')
  const shortest = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const [head = '', tail] = shortest.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail === undefined) return groups
  const last = tail.split(':').filter(Boolean)
  return [...groups, ...Array(8 - groups.length - last.length).fill('0'), ...last]
}

/** IPv4 that is mapped into IPv6, by a socket that speaks both or by a translator (NAT64). */
const MAPPED = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']

function network(groups: readonly string[]): string {
  if (MAPPED.includes(groups.slice(0, 6).join(':'))) {
    const bytes = groups.slice(6).flatMap(group => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
    return bytes.join('.')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

import { isIPv6 } from 'node:net'

/**
 * The address that limits count against. Of `X-Forwarded-For` only the entries that our own proxies wrote are
 * believed: with `trusted` proxies, the entry that many places from the right end of the chain. An IPv6 client owns a
 * whole /64, so that counts as one address.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: number): string {
  const chain = [...(forwardedFor ?? '').split(',').map(part => part.trim()), peer].filter(Boolean)
  const address = chain.at(-1 - Math.min(trusted, chain.length - 1)) ?? peer
  return network(address.replace(/^::ffff:(?=\d+\.)/, ''))
}

function network(address: string): string {
  if (!isIPv6(address)) return address
  const [withoutZone = ''] = address.split('%')
  // One spelling of the many that an address has, also of one whose end is written as IPv4.
  const shortest = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const [head = '', tail] = shortest.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const last = tail.split(':').filter(Boolean)
    groups.push(...Array(8 - groups.length - last.length).fill('0'), ...last)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

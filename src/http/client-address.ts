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
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const last = tail.split(':').filter(Boolean)
    groups.push(...Array(Math.max(0, 8 - groups.length - last.length)).fill('0'), ...last)
  }
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

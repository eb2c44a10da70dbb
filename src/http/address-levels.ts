import type { Limit } from './limit.ts'

/** One counter that a request takes from. */
export interface Bucket {
  readonly limit: Limit
  readonly key: string
}

/**
 * How much more the networks around a client's /64 may take than the /64 itself. Providers give a home or an office a
 * /64, a /56 or a /48, so whoever has one of these can come from thousands of /64s. Yet a mobile network puts many
 * strangers into one /48, so the limit grows with the network: four clients at once for a /56, sixteen for a /48.
 * IPv4 is scarce, and its neighbours are strangers: an address counts for itself alone.
 */
const LARGER_NETWORKS = [
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
]

/** Only client addresses have this form: ids, email addresses and IPv4 addresses do not. */
const NETWORK_64 = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):([0-9a-f]{1,4})::\/64$/

/**
 * All counters of a limit that count against someone, the narrowest first: several for an IPv6 client, else one.
 * Everyone counts in this order, so that two transactions never wait for each other.
 */
export function bucketsOf(limit: Limit, key: string): readonly Bucket[] {
  const own = { limit, key: `${limit.name} ${key}` }
  const [, site, subnet = ''] = NETWORK_64.exec(key) ?? []
  if (!site) return [own]
  const wider = LARGER_NETWORKS.map(({ bits, times }) => ({
    limit: { ...limit, count: limit.count * times },
    key: `${limit.name} ${site}:${maskSubnet(subnet, bits)}::/${bits}`,
  }))
  return [own, ...wider]
}

/** The fourth group, of which the first 8 or none of the 16 bits belong to the network. */
function maskSubnet(subnet: string, bits: number): string {
  const shift = 64 - bits
  return ((parseInt(subnet, 16) >> shift) << shift).toString(16)
}

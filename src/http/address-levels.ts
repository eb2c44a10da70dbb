import type { Limit } from './limit.ts'

/** One rate limit counter that a request consumes from. */
export interface Bucket {
  readonly limit: Limit
  readonly key: string
}

/**
 * The networks around a client's /64, with how many times its limit each one gets. Providers assign a home or an office
 * a /64, a /56 or a /48, so a single client may be able to use thousands of /64s. A mobile network, however, puts many
 * unrelated clients into one /48, so the limit grows with the network: four times for a /56, sixteen times for a /48.
 * Neighbouring IPv4 addresses usually belong to unrelated clients, so an IPv4 address is counted only by itself.
 */
const LARGER_NETWORKS = [
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
]

/** Only IPv6 client addresses have this form; ids, email addresses and IPv4 addresses do not. */
const NETWORK_64 = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):([0-9a-f]{1,4})::\/64$/

/** A client's own address or one of the networks around it. */
export interface Network {
  readonly key: string
  /** How many times the limit of one client it gets. */
  readonly times: number
}

/** @returns the narrowest first: several for an IPv6 client, otherwise one. */
export function networksOf(key: string): readonly Network[] {
  const own = { key, times: 1 }
  const [, site, subnet = ''] = NETWORK_64.exec(key) ?? []
  if (!site) return [own]
  const wider = LARGER_NETWORKS.map(({ bits, times }) => ({
    key: `${site}:${maskSubnet(subnet, bits)}::/${bits}`,
    times,
  }))
  return [own, ...wider]
}

/**
 * Returns all counters of a limit for one key, the narrowest network first. Every caller updates them in this order, so that
 * two transactions cannot deadlock.
 */
export function bucketsOf(limit: Limit, key: string): readonly Bucket[] {
  return networksOf(key).map(({ key: network, times }) => ({
    limit: times === 1 ? limit : { ...limit, count: limit.count * times },
    key: `${limit.name} ${network}`,
  }))
}

/** Clears the host bits of the fourth group: a /56 keeps the first 8 of its 16 bits, a /48 keeps none. */
function maskSubnet(subnet: string, bits: number): string {
  const shift = 64 - bits
  return ((parseInt(subnet, 16) >> shift) << shift).toString(16)
}

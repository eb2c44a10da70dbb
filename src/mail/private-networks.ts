import { BlockList } from 'node:net'

/**
 * Addresses that no server on the internet has: this machine, networks of a company or a data centre, multicast and what
 * is reserved (the registries of RFC 6890). IPv4 addresses inside IPv6 count as what they are.
 */
export const privateNetworks = new BlockList()

for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Cloud providers give machines their credentials here.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // Relays of 6to4, which nobody runs any more.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4')

for (const [network, prefix] of [
  // The internet is 2000::/3. After it are private, link-local and multicast addresses.
  ['4000::', 2],
  ['8000::', 1],
  // 6to4 and Teredo hold an IPv4 address that nothing here would check.
  ['2002::', 16],
  ['2001::', 32],
  // Protocols, identifiers and documentation.
  ['2001:10::', 28],
  ['2001:20::', 28],
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6')

// Before it is nothing but ::ffff:0:0/96, which is all of IPv4: loopback, NAT64 and IPv4 in other clothes are in the parts
// that differ from it in the last bit of their prefix.
const IPV4 = 0xffffn << 32n
for (let prefix = 4; prefix <= 96; prefix++) {
  const host = BigInt(128 - prefix)
  const network = ((IPV4 >> host) ^ 1n) << host
  const groups = network.toString(16).padStart(32, '0').match(/.{4}/g) ?? []
  privateNetworks.addSubnet(groups.join(':'), prefix, 'ipv6')
}

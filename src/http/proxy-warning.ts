import { isIPv4 } from 'node:net'
import type { Config } from '../config.ts'

/**
 * Returns a warning for the operator when proxies are trusted but the port may be reachable without them: a client that
 * reaches it directly chooses the address that rate limits count.
 */
export function proxyWarning({ host, port, trustProxy }: Pick<Config, 'host' | 'port' | 'trustProxy'>) {
  if (trustProxy === 0 || isLoopback(host)) return null
  return `TRUST_PROXY is ${trustProxy} and HOST is ${host}: port ${port} must not be reachable except through the proxy, or anyone can choose the client address that rate limits count. Set HOST=127.0.0.1 if the proxy runs on this machine, or close the port to everyone else.`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

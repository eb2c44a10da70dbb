import { isIPv4 } from 'node:net'
import type { Config } from '../config.ts'

/**
 * What to say at the start where proxies are believed and the port may be reachable without them: whoever reaches it
 * chooses the address that limits count against.
 */
export function proxyWarning({ host, port, trustProxy }: Pick<Config, 'host' | 'port' | 'trustProxy'>) {
  if (trustProxy === 0 || isLoopback(host)) return null
  return `TRUST_PROXY is ${trustProxy} and HOST is ${host}: port ${port} must not be reachable except through the proxy, or anyone can choose the address that limits count against. Set HOST=127.0.0.1 if the proxy runs on this machine, or close the port to everyone else.`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

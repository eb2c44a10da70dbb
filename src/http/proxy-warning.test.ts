import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proxyWarning } from '../config.ts'

test('An operator is warned at the start when clients may get past the proxy that is believed (H3)', () => {
  const warn = (host: string, trustProxy: number) => proxyWarning({ host, trustProxy, port: 3000 })
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'www.agency.example', '127.example'])
    assert.match(warn(host, 1) ?? '', /port 3000 must not be reachable except through the proxy/, host)
  assert.match(warn('0.0.0.0', 2) ?? '', /^TRUST_PROXY is 2 and HOST is 0\.0\.0\.0/)
  for (const host of ['127.0.0.1', '127.0.0.53', '::1', 'localhost']) assert.equal(warn(host, 1), null, host)
  assert.equal(warn('0.0.0.0', 0), null)
})

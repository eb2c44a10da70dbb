import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { stopwatch } from '../../tests/support/processor-time.ts'
import { openSite } from '../../tests/support/site.ts'
import { openTestApp } from '../../tests/support/test-app.ts'

suite('Accept-Encoding', async () => {
  const { url } = await openSite(await openTestApp())

  async function encodingFor(accepted: string): Promise<string | null> {
    const reply = await fetch(`${url}/`, { headers: { 'accept-encoding': accepted } })
    assert.match(await reply.text(), /^<!doctype html>/, accepted)
    assert.equal(reply.headers.get('vary'), 'Accept-Encoding')
    return reply.headers.get('content-encoding')
  }

  test('a browser gets the encoding that it prefers and never one that it refuses (B3)', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['GZIP,BR', 'br'],
      ['br;q=0', null],
      ['br;q=0.000, gzip', 'gzip'],
      ['br ; q=0 ,gzip ; Q=0.5', 'gzip'],
      ['gzip;q=1.0, br;q=0.8', 'gzip'],
      ['gzip;q=0.5, br;q=0.5', 'br'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['*;q=0', null],
      ['*;q=0, gzip', 'gzip'],
      ['identity, gzip;q=0.5', null],
      ['identity;q=0.5, gzip', 'gzip'],
      ['identity;q=0, gzip;q=0.001', 'gzip'],
      ['identity;q=0', null],
      ['x-gzip', 'gzip'],
      ['my-br, gzip-2, xbr', null],
      ['br;q=none, gzip;level=9', null],
      ['', null],
    ] as const)
      assert.equal(await encodingFor(accepted), encoding, accepted)
  })

  test('a list of encodings as long as headers may be causes no delay (B3)', async () => {
    const watch = stopwatch()
    for (const part of ['br;q=0,', '*;q=0 ,', 'br', ' ', '\t;', ', ']) {
      await encodingFor(part.repeat(Math.floor(14_000 / part.length)))
    }
    assert.ok(watch.passedAtRest() < 1000)
  })
})

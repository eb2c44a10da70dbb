import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from '../../tests/support/properties.ts'
import { clientAddress } from './client-address.ts'

const address = fc.oneof(fc.ipV4(), fc.ipV6())
const chain = fc.array(address, { minLength: 1, maxLength: 6 })

suite('Client address', () => {
  test('the client address is the peer of the socket when no proxy is trusted, whatever the header says', () => {
    const property = fc.property(address, fc.oneof(chain.map(String), fc.string()), (peer, header) => {
      assert.equal(clientAddress(peer, header, 0), clientAddress(peer, undefined, 0))
    })
    fc.assert(property)
  })

  test('the client address is what the outermost trusted proxy saw, whatever a client wrote to the left of it', () => {
    const property = fc.property(chain, chain, fc.string(), (seen, spoofed, junk) => {
      const [client = '', ...proxies] = seen
      const peer = proxies.at(-1) ?? client
      const written = [client, ...proxies.slice(0, -1)].join(', ')
      const trusted = proxies.length
      const header = trusted === 0 ? '' : written
      const honest = clientAddress(peer, header, trusted)
      assert.equal(honest, clientAddress(client, undefined, 0))
      assert.equal(clientAddress(peer, [junk, ...spoofed, header].join(','), trusted), honest)
    })
    fc.assert(property)
  })

  test('the client address is the peer when a trusted proxy wrote nothing', () => {
    assert.equal(clientAddress('203.0.113.7', undefined, 1), '203.0.113.7')
    assert.equal(clientAddress('203.0.113.7', '', 2), '203.0.113.7')
    assert.equal(clientAddress('203.0.113.7', ' , ,', 3), '203.0.113.7')
  })

  test('the client address is the first of the chain when fewer proxies wrote than are trusted', () => {
    assert.equal(clientAddress('10.0.0.1', '203.0.113.9', 3), '203.0.113.9')
  })

  test('the limited address is the same for a whole IPv6 network of a client, and another for the next network', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map(value => value.toString(16))
    const groups = fc.array(group, { minLength: 8, maxLength: 8 }).filter(([first]) => first !== '0')
    const property = fc.property(groups, groups, (one, other) => {
      const network = clientAddress(one.join(':'), undefined, 0)
      assert.equal(clientAddress([...one.slice(0, 4), ...other.slice(4)].join(':'), undefined, 0), network)
      const isSame = other.slice(0, 4).join() === one.slice(0, 4).join()
      assert.equal(clientAddress(other.join(':'), undefined, 0) === network, isSame)
    })
    fc.assert(property)
  })

  test('the limited address is the same however an IPv6 address is written', () => {
    const property = fc.property(fc.ipV6(), text => {
      const asWritten = clientAddress(text, undefined, 0)
      const shortest = new URL(`http://[${text}]`).hostname.slice(1, -1)
      // An address that maps IPv4 is counted as that.
      if (!asWritten.includes('/64')) return
      assert.equal(clientAddress(shortest, undefined, 0), asWritten, `${text} and ${shortest}`)
      assert.equal(clientAddress(text.toUpperCase(), undefined, 0), asWritten)
    })
    fc.assert(property, { numRuns: 2000 })
  })

  test('the client address is the IPv4 address of a client on a dual-stack socket', () => {
    assert.equal(clientAddress('::ffff:203.0.113.7', undefined, 0), '203.0.113.7')
  })

  test('the client address does not depend on the interface that an address is bound to', () => {
    assert.equal(clientAddress('fe80::1%eth0', undefined, 0), clientAddress('fe80::2', undefined, 0))
  })

  test('the client address has the known result for some addresses', () => {
    const results = {
      '203.0.113.7': '203.0.113.7',
      '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
      '2001:0db8::1': '2001:db8:0:0::/64',
      '::1': '0:0:0:0::/64',
      '2001:db8:1::': '2001:db8:1:0::/64',
    }
    for (const [peer, expected] of Object.entries(results))
      assert.equal(clientAddress(peer, undefined, 0), expected)
  })

  test('the client address is the peer where an entry is not an address, whatever it says (H3)', () => {
    const texts = [
      'unknown',
      '_hidden',
      'for=198.51.100.1',
      'for="[2001:db8::1]"',
      '198.51.100',
      '198.51.100.256',
      '0198.51.100.1',
      '3325256705',
      '0xc6.51.100.1',
      '198.51.100.1/24',
      '2001:db8::1::',
      '[2001:db8::1',
      '[198.51.100.1]x',
      '198.51.100.1:port',
      '2001:db8::1%'.padEnd(15_000, 'x'),
      'x'.repeat(15_000),
      '\u0661\u0669\u0668.51.100.1',
    ]
    for (const text of texts) {
      assert.equal(clientAddress('10.0.0.1', text, 1), '10.0.0.1', text)
      assert.equal(clientAddress('2001:db8:9::1', `198.51.100.1, ${text}`, 1), '2001:db8:9:0::/64', text)
    }
    const property = fc.property(fc.string({ maxLength: 200 }), text => {
      assert.ok(clientAddress('10.0.0.1', text, 1).length <= 45)
    })
    fc.assert(property)
  })

  test('the client address is the same with a port, in capitals, and in any notation of IPv4 (H3)', () => {
    const same = {
      '198.51.100.1': [
        '198.51.100.1:50123',
        '[198.51.100.1]:50123',
        '::ffff:198.51.100.1',
        '::FFFF:c633:6401',
        '0:0:0:0:0:ffff:198.51.100.1',
        '[::ffff:198.51.100.1]:50123',
        '64:ff9b::198.51.100.1',
        '64:ff9b::c633:6401',
      ],
      '2001:db8:1:2::/64': [
        '[2001:db8:1:2::1]',
        '[2001:db8:1:2::1]:80',
        '2001:DB8:1:2:ffff::',
        '2001:0db8:0001:0002::1%eth0',
      ],
      '0:0:0:0::/64': ['[::1]:80', '::1', '::'],
    }
    for (const [expected, spellings] of Object.entries(same))
      for (const text of spellings) assert.equal(clientAddress('10.0.0.1', text, 1), expected, text)
  })
})

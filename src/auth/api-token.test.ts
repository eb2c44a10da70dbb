import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isApiToken, newApiToken } from './api-token.ts'

suite('API token format', () => {
  test('an API token names its type and is unique', () => {
    const made = new Set(Array.from({ length: 1000 }, () => newApiToken('integration')))
    assert.equal(made.size, 1000)
    for (const token of made) {
      assert.match(token, /^lf_integration_[0-9A-Za-z]{36}$/)
      assert.ok(isApiToken(token), token)
    }
  })

  test('an API token ends in the checksum that source code scanners compute: CRC-32 in base 62, six characters', () => {
    assert.ok(isApiToken('lf_api_0000000000000000000000000000002C8GjS'))
    assert.ok(isApiToken('lf_web_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp'))
    assert.ok(!isApiToken('lf_web_0123456789ABCDEFGHIJKLMNOPQRST4PMby0'))
  })

  test('a token with any character changed is not a token', () => {
    const token = newApiToken('api')
    for (let at = 'lf_api_'.length; at < token.length; at++) {
      const other = token[at] === 'x' ? 'y' : 'x'
      assert.ok(!isApiToken(token.slice(0, at) + other + token.slice(at + 1)), `${at}`)
    }
  })

  test('text that only resembles a token is not a token', () => {
    const token = newApiToken('api')
    const others = [
      '',
      token.slice(3),
      token.slice(0, -1),
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
      `gh${token.slice(2)}`,
    ]
    for (const text of others) assert.ok(!isApiToken(text), text)
  })
})

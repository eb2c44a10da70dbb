import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { encodeResponse } from './representation.ts'
import { type DocumentKind, securityHeaders } from './security-headers.ts'

const MAP = 'https://www.openstreetmap.org/export/'

const policyOf = (kind: DocumentKind, hasBotCheck: boolean) =>
  securityHeaders(kind, 'https://agency.test', hasBotCheck)['Content-Security-Policy'] ?? ''

suite('Content security policy', () => {
  test('the policy names no other host but that of the map while the bot check is off', () => {
    for (const kind of ['sign-in', 'portal'] as const)
      assert.doesNotMatch(policyOf(kind, false), /https?:\/\//)
    // It may be requested, and then framed.
    assert.deepEqual(policyOf('site', false).match(/https?:\/\/[^\s;]+/g), [MAP, MAP])
  })

  test('the policy allows the check of Google where there is a form, and nothing else of Google', () => {
    for (const kind of ['site', 'sign-in'] as const) {
      const policy = policyOf(kind, true)
      const hosts = new Set(policy.match(/https:\/\/[^\s;]+/g))
      assert.deepEqual(
        [...hosts].sort(),
        [
          ...(kind === 'site' ? [MAP] : []),
          'https://recaptcha.google.com/recaptcha/',
          'https://www.google.com/recaptcha/',
          'https://www.gstatic.com/recaptcha/',
        ].sort(),
        kind,
      )
      assert.match(policy, /script-src 'self' https:\/\/www\.google\.com\/recaptcha\/ https:\/\/www\.gstatic/)
      assert.doesNotMatch(policy, /unsafe|trusted-types/)
    }
  })

  test('the policy requires trusted types where only our own scripts run', () => {
    assert.match(policyOf('sign-in', false), /require-trusted-types-for 'script'/)
    assert.match(policyOf('portal', false), /require-trusted-types-for 'script'/)
  })

  test('the policy is part of the ETag of a page: the same page under another policy is sent again', async () => {
    const [before, after] = await Promise.all(
      [false, true].map(hasBotCheck =>
        encodeResponse('<p>Hello</p>', securityHeaders('site', 'https://agency.test', hasBotCheck)),
      ),
    )
    assert.notEqual(before?.plain.tag, after?.plain.tag)
  })
})

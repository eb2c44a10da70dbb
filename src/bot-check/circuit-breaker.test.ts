import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { openTestAppWithCaptcha } from '../../tests/support/test-app-with-captcha.ts'
import { until } from '../../tests/support/until.ts'
import { ApiError } from '../http/api-client.ts'
import { minutes, seconds } from '../platform/clock.ts'

suite('Circuit breaker of the bot check', async () => {
  const { google, testApp, send, newToken } = await openTestAppWithCaptcha()

  beforeEach(async () => {
    google.behaviour = 'answer'
    // Resets the circuit breaker after failures in the previous test.
    testApp.wait(minutes(1))
    await send(newToken())
    google.asked.length = 0
  })

  test('after five failures in a row the provider is not asked for thirty seconds, then one enquiry tries', async () => {
    google.behaviour = 500
    for (let failure = 1; failure <= 5; failure++) await send(`good ${failure}`)
    assert.equal(google.asked.length, 5)
    google.behaviour = 'answer'
    assert.equal(await send('good, not asked'), 'unverified:provider_down')
    testApp.wait(seconds(25))
    assert.equal(await send('good, still not asked'), 'unverified:provider_down')
    assert.equal(google.asked.length, 5)
    testApp.wait(seconds(5))
    google.behaviour = 'hold'
    const run = send('good, a trial')
    await until(() => google.asked.length === 6)
    assert.equal(await send('good, beside the trial'), 'unverified:provider_down')
    assert.equal(google.asked.length, 6)
    google.behaviour = 'answer'
    google.release()
    assert.equal(await run, 'verified')
    assert.equal(await send('good, after the trial'), 'verified')
  })

  test('a failed trial opens the circuit breaker again', async () => {
    google.behaviour = 500
    for (let failure = 1; failure <= 5; failure++) await send(`good again ${failure}`)
    testApp.wait(seconds(30))
    await send('good, a failed trial')
    assert.equal(google.asked.length, 6)
    google.behaviour = 'answer'
    testApp.wait(seconds(25))
    assert.equal(await send('good, too early'), 'unverified:provider_down')
    testApp.wait(seconds(5))
    assert.equal(await send('good, in time'), 'verified')
  })

  test('four failures in a row, or five with a success in between, do not open the circuit breaker', async () => {
    google.behaviour = 500
    for (let failure = 1; failure <= 4; failure++) await send(`good thus ${failure}`)
    google.behaviour = 'answer'
    assert.equal(await send('good, the fifth'), 'verified')
    google.behaviour = 500
    for (let failure = 1; failure <= 4; failure++) await send(`good so ${failure}`)
    google.behaviour = 'answer'
    assert.equal(await send('good, the tenth'), 'verified')
  })

  test('rejected tokens do not open the circuit breaker', async () => {
    for (let error = 1; error <= 6; error++) await assert.rejects(send('forged'), ApiError)
    assert.equal(google.asked.length, 6)
  })

  test('a clock that is set back does not keep the circuit breaker open', async () => {
    google.behaviour = 500
    for (let failure = 1; failure <= 5; failure++) await send(`good back ${failure}`)
    google.behaviour = 'answer'
    testApp.wait(-minutes(10))
    assert.equal(await send('good, yesterday'), 'verified')
    testApp.wait(minutes(10))
  })
})

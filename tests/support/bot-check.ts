import { beforeEach } from 'node:test'
import { minutes } from '../../src/platform/clock.ts'
import { SECRET_KEY } from './recaptcha-server.ts'
import { openTestAppWithCaptcha } from './test-app-with-captcha.ts'

const v3 = { hostname: 'agency.test', action: 'submit', score: 0.9 }

/** A bot check by v3 whose provider accepts again before each test. */
export async function openBotCheck() {
  const { google, testApp, send, set } = await openTestAppWithCaptcha()
  let tests = 0

  beforeEach(async () => {
    Object.assign(google, { behaviour: 'answer', facts: { ...v3 }, errors: null })
    google.asked.length = 0
    await set({ recaptcha_enabled: 'true', recaptcha_secret_key: SECRET_KEY, recaptcha_version: 'v3' })
    // Resets the circuit breaker after failures in the previous test.
    testApp.wait(minutes(1))
    await send(`good, after test ${++tests}`)
    google.asked.length = 0
  })

  return { google, testApp, send, set }
}

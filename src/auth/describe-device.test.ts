import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { describeDevice } from './session.ts'

const like = 'Mozilla/5.0 (KHTML, like Gecko)'
const devices = {
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/140.0.0.0 Safari/537.36`]: 'Chrome on Windows',
  [`Mozilla/5.0 (Windows NT 10.0) ${like} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`]: 'Edge on Windows',
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${like} Version/18.5 Safari/605.1.15`]: 'Safari on Mac',
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${like} Version/18.5 Safari/604.1`]:
    'Safari on iPhone',
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${like} CriOS/140.0 Safari/604.1`]:
    'Chrome on iPhone',
  [`Mozilla/5.0 (Linux; Android 15; SM-S901B) ${like} SamsungBrowser/28.0 Chrome/130.0 Safari/537.36`]:
    'Samsung Internet on Android',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0': 'Firefox on Linux',
  'curl/8.5.0': 'Unknown browser',
  '': 'Unknown browser',
}

suite('Device description', () => {
  for (const [userAgent, words] of Object.entries(devices)) {
    test(`a user agent is described as ${words}: ${userAgent.slice(-30)}`, () =>
      assert.equal(describeDevice(userAgent), words))
  }
})

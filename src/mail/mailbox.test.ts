import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import PostalMime from 'postal-mime'
import { LOOKS_ENCODED } from '../../tests/support/hostile-texts.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { visitor } from '../../tests/support/test-app-with-captcha.ts'
import { until } from '../../tests/support/until.ts'
import { enquiries } from '../features/enquiry-form/contract.ts'

suite('Local mailbox', async () => {
  const testApp = await openTestApp({ smtpUrl: null })
  const { services, console } = testApp
  const folder = join(services.config.dataDir, 'mail')

  /** Sends an enquiry. @returns its email as it was kept, and its line on the console. */
  async function enquire(name: string) {
    const { reference } = await testApp.browser().call(enquiries.contact, { ...visitor, name })
    const isOurs = (line: string) => line.includes('Email to') && line.includes(reference)
    await until(() => console.some(isOurs))
    const files = (await readdir(folder)).toSorted()
    const raw = await readFile(join(folder, files.at(-1) ?? ''))
    return { reference, raw, email: await PostalMime.parse(raw), line: console.find(isOurs) ?? '' }
  }

  test('an email shows a name as it was written, also one that looks like an encoded header (B3)', async () => {
    for (const name of LOOKS_ENCODED) {
      const { reference, email, raw } = await enquire(name)
      assert.equal(email.subject, `${reference}: General enquiry from ${name}`)
      assert.equal(email.replyTo?.[0]?.name, name)
      assert.ok(!raw.includes('\r'))
    }
  })

  test('nothing that a visitor wrote is obeyed by the operator’s terminal (B3)', async () => {
    const name = 'Mai \u009b31m\u0085\u009d0;title\u009c \u202eeert\u2066 \u200f'
    const { reference, line } = await enquire(name)
    assert.ok(line.includes(String.raw`Mai \u009b31m`), line)
    assert.match(line, new RegExp(`^Email to \\S+: ${reference}: `))
    await testApp.browser().send('POST', '/api/contact', { ...visitor, name: `${name}\u0000` })
    services.log('warning', 'API', `A line with ${name}`, { name, [name]: [name] })
    await services.flushLog()
    const printed = console.join('')
    const obeyed = String.raw`[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]`
    assert.doesNotMatch(printed, new RegExp(obeyed))
    const logged = console.find(it => it.includes('A line with')) ?? ''
    assert.equal(JSON.parse(logged).name, name, 'and the log can still be read as JSON')
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openBrowser } from '../../../tests/support/browser.ts'
import { stopwatch } from '../../../tests/support/processor-time.ts'
import { readAllSettings } from '../../../tests/support/settings.ts'
import { openSite } from '../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { type SettingKey, settingKeys, settings } from './contract.ts'

const SECRET = 'md-a-mail-key-for-tests-Wxyz'
const MASKED = '********Wxyz'

suite('Settings', async () => {
  const testApp = await openTestApp()
  const { settings: kept, db } = testApp.services
  const person = await createStaff(testApp, 'admin')
  const admin = await signInAs(testApp, person.email)

  const put = async (key: string, value: unknown) =>
    await admin.send('PUT', `/api/settings/${key}`, { value })
  const read = async (key: SettingKey) => (await readAllSettings(kept))[key]
  const shown = async (key: SettingKey) => {
    const listed = await admin.call(settings.list, {})
    return listed.settings.find(setting => setting.key === key)?.value
  }
  /** @returns the error of `value`, or of the setting that `field` names. */
  async function refused(key: SettingKey, value: unknown, field = 'value'): Promise<string> {
    const before = await db.selectFrom('settings').selectAll().orderBy('key').execute()
    const reply = await put(key, value)
    assert.equal(reply.status, 400)
    const { errors } = await reply.json()
    assert.deepEqual(await db.selectFrom('settings').selectAll().orderBy('key').execute(), before)
    return errors[field]
  }

  test('an admin reads which address the site expects, and that a proxy in front is not configured', async () => {
    assert.deepEqual(await admin.call(settings.address, {}), {
      ...{ success: true, publicUrl: PUBLIC_URL, isProxyIgnored: false },
    })
    const passedOn = { 'x-forwarded-for': '203.0.113.7' }
    const behind = await admin.send('GET', settings.address.path, undefined, passedOn)
    assert.equal((await behind.json()).isProxyIgnored, true)
    const proxied = await openTestApp({ trustProxy: 1 })
    const owner = await signInAs(proxied, (await createStaff(proxied, 'admin')).email)
    const counted = await owner.send('GET', settings.address.path, undefined, passedOn)
    assert.equal((await counted.json()).isProxyIgnored, false)
    const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    assert.equal((await editor.send('GET', settings.address.path)).status, 403)
  })

  test('an admin finds every key, whether or not it was ever set', async () => {
    const { settings: listed } = await admin.call(settings.list, {})
    assert.deepEqual(
      listed.map(({ key }) => key),
      [...settingKeys],
    )
    assert.deepEqual(Object.fromEntries(listed.map(({ key, value }) => [key, value])), {
      ...(await readAllSettings(kept)),
    })
  })

  test('an admin sees the last four characters of a secret of twelve or more, and none of a shorter one (S1)', async () => {
    for (const [secret, mask] of [
      ['', ''],
      ['a', '********'],
      ['elevenchars', '********'],
      ['twelve-chars', '********hars'],
      [SECRET, MASKED],
    ] as const) {
      const changed = await admin.call(settings.change, {
        key: 'mailchimp_transactional_api_key',
        value: secret,
      })
      assert.deepEqual(changed.setting, { key: 'mailchimp_transactional_api_key', value: mask })
      assert.equal(await shown('mailchimp_transactional_api_key'), mask)
      assert.equal(await read('mailchimp_transactional_api_key'), secret)
    }
    await put('mailchimp_transactional_api_key', '')
  })

  test('only an admin can see and change settings (S1)', async () => {
    const viewer = await signInAs(testApp, (await createStaff(testApp, 'viewer')).email)
    const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    for (const [browser, status] of [
      [testApp.browser(), 401],
      [viewer, 403],
      [editor, 403],
    ] as const) {
      assert.equal((await browser.fetch('/api/settings')).status, status)
      assert.equal((await browser.send('PUT', '/api/settings/site_name', { value: 'Theirs' })).status, status)
      assert.equal((await browser.send('POST', '/api/settings/test-email')).status, status)
    }
    assert.notEqual(await read('site_name'), 'Theirs')
  })

  test('no public call returns a secret (S2)', async () => {
    await put('recaptcha_secret_key', SECRET)
    const text = await (await testApp.browser().fetch('/api/public/recaptcha')).text()
    assert.ok(!text.includes(SECRET) && !text.includes('Wxyz'))
  })

  for (const key of ['nothing', '__proto__', 'constructor', 'toString', 'SITE_NAME', 'site_name%20', '%00'])
    test(`there is no setting named ${key} (S3)`, async () => {
      const reply = await put(key, 'some value')
      assert.equal(reply.status, 404)
      assert.equal((await reply.json()).success, false)
    })

  test('sending back a mask keeps the secret, and no secret can have an asterisk (S4)', async () => {
    for (const key of ['recaptcha_secret_key', 'mailchimp_transactional_api_key'] as const) {
      await put(key, SECRET)
      const stored = await db.selectFrom('settings').selectAll().where('key', '=', key).execute()
      const reply = await put(key, MASKED)
      assert.deepEqual(await reply.json(), { success: true, setting: { key, value: MASKED } })
      assert.deepEqual(await db.selectFrom('settings').selectAll().where('key', '=', key).execute(), stored)
      for (const value of ['********wxyz', '********', `${MASKED}!`, '*', `new${MASKED}`])
        assert.equal(await refused(key, value), 'Enter the whole key, or leave it as it is')
      await put(key, '')
      assert.equal(await refused(key, MASKED), 'Enter the whole key, or leave it as it is')
    }
  })

  test('any site name is shown as text, in pages and in emails (S7)', async () => {
    const name = '<img src=x onerror=alert(1)></title></script><b>"Name"'
    const { url } = await openSite(testApp)
    assert.equal((await put('site_name', name)).status, 200)
    let html = ''
    await until(async () => {
      html = await (await fetch(url)).text()
      return html.includes('onerror')
    })
    assert.doesNotMatch(html, /<img src=x|<\/script><b>|<title>[^<]*<img/)
    const [agency] = /<script type="application\/ld\+json">.*?<\/script>/s.exec(html) ?? []
    assert.equal(JSON.parse(/>(.*)</s.exec(agency ?? '')?.[1] ?? '').name, name)
    await testApp.browser().call(enquiries.contact, {
      name: 'Mai Nguyen',
      email: 'mai@visitor.test',
      phone: '+61 400 000 000',
      message: 'What does a partner visa cost?',
    })
    const email = await testApp.mailServer.next(({ subject }) => subject?.includes('Mai Nguyen') ?? false)
    assert.equal(email.from?.name, name)
    assert.doesNotMatch(email.html ?? '', /<img/)
  })

  test('a change shows on pages, sign-in and manifest of the same node in the very next request', async () => {
    const site = await openSite(testApp)
    const browser = openBrowser(site, PUBLIC_URL, '203.0.113.200')
    for (const [name, value] of admin.cookies) browser.cookies.set(name, value)
    const read = async (path: string) => await (await fetch(site.url + path)).text()
    async function isHomeCached() {
      const { slowRequests } = site
      await read('/')
      return site.slowRequests === slowRequests
    }
    const paths = ['/', '/contact', '/no-such-page', '/auth', '/site.webmanifest']
    for (const name of ['Tasman Migration', 'Arafura Migration', 'Coral Sea Migration']) {
      for (const path of paths) assert.doesNotMatch(await read(path), new RegExp(name), path)
      await until(isHomeCached)
      const reply = await browser.send('PUT', '/api/settings/site_name', { value: name })
      assert.equal(reply.status, 200)
      for (const path of paths) assert.match(await read(path), new RegExp(name), path)
    }
  })

  test('a change reaches the public pages of another node within two seconds', async () => {
    const { url } = await openSite(testApp)
    await (await fetch(url)).text()
    for (const [key, value] of [
      ['site_name', 'Southern Cross Migration'],
      ['contact_phone', '+61 8 5550 7777'],
    ] as const) {
      await put(key, value)
      const watch = stopwatch()
      await until(async () => (await (await fetch(url)).text()).includes(value))
      assert.ok(watch.passedAtRest() < 2000)
    }
  })

  test('a change is logged with the key and the admin, never the value (S9)', async () => {
    testApp.console.length = 0
    await put('mailchimp_transactional_api_key', SECRET)
    await put('contact_phone', '+61 2 5550 9876')
    await put('mailchimp_transactional_api_key', '')
    const lines = testApp.console.filter(line => line.includes('Setting changed'))
    assert.deepEqual(
      lines.map(line => JSON.parse(line)).map(({ setting, userId, source }) => [setting, userId, source]),
      ['mailchimp_transactional_api_key', 'contact_phone', 'mailchimp_transactional_api_key'].map(key => [
        key,
        person.id,
        'API',
      ]),
    )
    assert.doesNotMatch(testApp.console.join(''), /Wxyz|5550 9876/)
  })

  test('no setting can hold an address that the server would call (S9)', async () => {
    const url = 'http://127.0.0.1:1/'
    for (const key of settingKeys) await put(key, url)
    const values = await readAllSettings(kept)
    assert.equal(values.recaptcha_enabled, 'false')
    // These take any text: they are shown, or sent as a key, and never called.
    const accepted = settingKeys.filter(key => values[key] === url)
    assert.deepEqual(accepted, [
      'site_name',
      'contact_phone',
      'recaptcha_site_key',
      'recaptcha_secret_key',
      'mailchimp_transactional_api_key',
    ])
  })
})

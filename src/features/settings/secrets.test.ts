import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { openBrowser } from '../../../tests/support/browser.ts'
import { readAllSettings } from '../../../tests/support/settings.ts'
import { openSite } from '../../../tests/support/site.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { visitor } from '../../../tests/support/test-app-with-captcha.ts'
import { openServices } from '../../services.ts'
import { enquiries } from '../enquiry-form/contract.ts'
import { settingKeys } from './contract.ts'

const SECRET = 'a-recaptcha-secret-that-nobody-may-read'

suite('Secret settings', async () => {
  const testApp = await openTestApp()
  const { settings, config, db } = testApp.services
  const tableNames = (await db.introspection.getTables()).map(({ name }) => name)

  test('a secret is read back as it was written, and a second value replaces the first', async () => {
    await settings.write('recaptcha_secret_key', 'the first one')
    await settings.write('recaptcha_secret_key', SECRET)
    await settings.write('form_email', 'desk@söhne.test')
    const values = await readAllSettings(settings)
    assert.equal(values.recaptcha_secret_key, SECRET)
    assert.equal(values.form_email, 'desk@söhne.test')
    assert.equal(values.recaptcha_enabled, 'false')
  })

  test('a secret cannot be found in the files or rows of the database (S8)', async () => {
    await settings.write('recaptcha_secret_key', SECRET)
    await settings.write('form_email', 'to-be-found@agency.test')
    const kept = await readWhatIsKept()
    assert.ok(kept.includes('to-be-found@agency.test'))
    for (const form of ['utf8', 'base64', 'base64url', 'hex'] as const)
      assert.ok(!kept.includes(Buffer.from(SECRET).toString(form)), form)
  })

  test('a secret is encrypted differently each time, and its key id is stored with it', async () => {
    const forms: (string | undefined)[] = []
    for (const _ of [1, 2]) {
      await settings.write('recaptcha_secret_key', SECRET)
      forms.push((await storedForms()).get('recaptcha_secret_key'))
    }
    assert.notEqual(forms[0], forms[1])
    assert.equal(forms[0]?.split('.')[1], testApp.services.keys.settings[0].id)
  })

  test('one encrypted secret cannot replace another', async () => {
    await settings.write('mailchimp_transactional_api_key', 'md-a-mail-key')
    const form = (await storedForms()).get('mailchimp_transactional_api_key') ?? ''
    await storeForm('recaptcha_secret_key', form)
    const values = await readAllSettings(settings)
    assert.equal(values.recaptcha_secret_key, '')
    assert.equal(values.mailchimp_transactional_api_key, 'md-a-mail-key')
  })

  test('a secret with any damaged byte counts as not set', async () => {
    await settings.write('recaptcha_secret_key', 'short')
    const form = (await storedForms()).get('recaptcha_secret_key') ?? ''
    const [method = '', id = '', text = ''] = form.split('.')
    const bytes = Buffer.from(text, 'base64url')
    for (const place of bytes.keys()) {
      const damaged = Buffer.from(bytes)
      damaged.writeUInt8(damaged.readUInt8(place) ^ 1, place)
      await storeForm('recaptcha_secret_key', `${method}.${id}.${damaged.toString('base64url')}`)
      assert.equal(await settings.secret('recaptcha_secret_key'), '', `byte ${place}`)
    }
    const ofAnotherKey = `${method}.00000000.${text}`
    for (const form of [ofAnotherKey, '', 'x', `${method}.${id}.`, `${method}.${id}.AAAA`]) {
      await storeForm('recaptcha_secret_key', form)
      assert.equal(await settings.secret('recaptcha_secret_key'), '', form)
    }
  })

  test('a secret that the current key cannot decrypt is logged once', async () => {
    await settings.write('recaptcha_secret_key', SECRET)
    const lines: string[] = []
    const secretKey = 'another secret of thirty-two characters, or more'
    const other = await openServices({ ...config, secretKey }, { print: line => lines.push(line) })
    for (const _ of [1, 2]) assert.equal(await other.settings.secret('recaptcha_secret_key'), '')
    assert.equal((await other.settings.publicValues()).form_email, (await settings.publicValues()).form_email)
    await other.close()
    const errors = lines.filter(line => line.includes('"setting":"recaptcha_secret_key"'))
    assert.equal(errors.length, 1)
    assert.ok(!lines.join('').includes(SECRET))
    assert.equal(await settings.secret('recaptcha_secret_key'), SECRET)
  })

  test('a secret encrypted with the previous key can be read, and the next change encrypts it with the current one', async () => {
    await settings.write('recaptcha_secret_key', SECRET)
    await settings.write('mailchimp_transactional_api_key', 'md-a-mail-key')
    const mailServer = JSON.stringify({
      ...{ provider: 'other', host: 'mail.agency.test', port: 587, security: 'starttls' },
      ...{ user: 'desk', password: 'a password', from: 'desk@agency.test' },
    })
    await settings.write('smtp', mailServer)
    const before = await storedForms()
    const secretKeyOld = config.secretKey ?? (await readFile(join(config.dataDir, 'secret.key'), 'utf8'))
    const secretKey = 'the next secret of thirty-two characters, or more'
    const lines: string[] = []
    const next = await openServices(
      { ...config, secretKey, secretKeyOld },
      { print: line => lines.push(line) },
    )
    const without = await openServices({ ...config, secretKey }, { print: () => {} })
    assert.equal(await next.settings.secret('recaptcha_secret_key'), SECRET)
    assert.deepEqual(await storedForms(), before, 'reading changes nothing')
    assert.equal(await without.settings.secret('recaptcha_secret_key'), '')
    await next.settings.write('retention_logs_days', '40')
    for (const node of [next, without]) {
      const values = await readAllSettings(node.settings)
      assert.equal(values.recaptcha_secret_key, SECRET)
      assert.equal(values.mailchimp_transactional_api_key, 'md-a-mail-key')
      assert.equal(await node.settings.secret('smtp'), mailServer)
    }
    const moved = lines.filter(line => line.includes('is now encrypted with the current SECRET_KEY'))
    assert.equal(moved.length, 3)
    assert.ok(!lines.join('').includes(SECRET))
    await next.settings.write('retention_logs_days', '50')
    assert.equal(lines.filter(line => line.includes('is now encrypted')).length, 3)
    await next.close()
    await without.close()
  })

  test('no page, form or revision decrypts or holds a secret (S10)', async () => {
    await settings.write('recaptcha_secret_key', SECRET)
    await storeForm('recaptcha_secret_key', 'encrypted with a key that is lost')
    const lines: string[] = []
    const site = await openSite(testApp, { print: line => lines.push(line) })
    const { settings: own } = site.services
    for (const path of ['/', '/contact', '/auth', '/no-such-page', '/api/public/recaptcha'])
      await (await fetch(site.url + path)).text()
    await openBrowser(site, config.publicUrl, '203.0.113.200').call(enquiries.contact, visitor)
    const values = Object.keys(await own.publicValues())
    assert.deepEqual(
      settingKeys.filter(key => !values.includes(key)),
      ['recaptcha_secret_key', 'mailchimp_transactional_api_key'],
    )
    assert.match(await own.revision(), /^[0-9a-f]{64}$/)
    // A failure to decrypt is logged, and so shows that someone tried.
    const tries = () => lines.filter(line => line.includes('"setting":"recaptcha_secret_key"')).length
    assert.equal(tries(), 0)
    assert.equal(await own.secret('recaptcha_secret_key'), '')
    assert.equal(tries(), 1)
  })

  test('the revision changes with each change of a setting, and with nothing else', async () => {
    const revisions = [await settings.revision()]
    for (const [key, value] of [
      ['form_email', 'desk@agency.test'],
      ['form_email', 'other@agency.test'],
      // A page may have been rendered meanwhile.
      ['form_email', 'desk@agency.test'],
      ['recaptcha_secret_key', SECRET],
      ['recaptcha_secret_key', SECRET],
    ] as const) {
      await settings.write(key, value)
      revisions.push(await settings.revision())
      assert.equal(await settings.revision(), revisions.at(-1))
    }
    const updated_at = new Date().toISOString()
    await db
      .insertInto('settings')
      .values({ key: 'retention_last_erased_of_a_test', value: 'now', updated_at })
      .execute()
    assert.equal(await settings.revision(), revisions.at(-1))
    assert.equal(new Set(revisions).size, revisions.length)
  })

  async function storeForm(key: string, value: string) {
    await db.updateTable('settings').set({ value }).where('key', '=', key).execute()
  }

  async function storedForms() {
    const rows = await db.selectFrom('settings').selectAll().execute()
    return new Map(rows.map(({ key, value }) => [key, value]))
  }

  /** Every byte of the SQLite files; on PostgreSQL, whose files belong to another process, every row of every table. */
  async function readWhatIsKept(): Promise<string> {
    if (config.databaseUrl) return (await Promise.all(tableNames.map(readRows))).join('')
    const names = await readdir(config.dataDir)
    const files = names.filter(name => name.startsWith('landfall.sqlite'))
    const contents = await Promise.all(files.map(name => readFile(join(config.dataDir, name), 'latin1')))
    return contents.join('')
  }

  async function readRows(table: string): Promise<string> {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
    return JSON.stringify(rows)
  }
})

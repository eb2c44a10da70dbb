import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { ConfigError, readConfig, secretNames } from '../config.ts'

suite('Secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-secrets-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const keep = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const secrets = {
    SECRET_KEY: 'x'.repeat(32),
    SECRET_KEY_OLD: 'y'.repeat(32),
    DATABASE_URL: 'postgres://landfall:secret@db/landfall',
    SMTP_URL: 'smtps://user:pass@relay.test:465',
    IMAP_URL: 'imaps://user:pass@mail.test',
    ADMIN_PASSWORD: 'Correct-Horse-7-Staple!',
    METRICS_TOKEN: 'sixteen-symbols-',
  }

  test('a secret from a file equals one from a variable, whatever ends the line', () => {
    assert.deepEqual(Object.keys(secrets).sort(), [...secretNames].sort())
    const files = Object.entries(secrets).map(([name, value]) => [`${name}_FILE`, keep(name, `${value}\n`)])
    const mail = { MAIL_FROM: 'a@b.test' }
    assert.deepEqual(
      readConfig({ ...mail, ...Object.fromEntries(files) }),
      readConfig({ ...mail, ...secrets }),
    )
  })

  test('an empty secret file counts as not set, like a variable', () => {
    assert.deepEqual(
      readConfig({ ADMIN_PASSWORD_FILE: keep('empty', '\n'), SMTP_URL_FILE: '' }),
      readConfig({}),
    )
  })

  test('a weak password of the first admin in a file is refused without being repeated', () => {
    const path = keep('weak', 'Hunter2hunter2\n')
    assert.throws(() => readConfig({ ADMIN_PASSWORD_FILE: path }), {
      message:
        'ADMIN_PASSWORD takes a password that staff could choose: Password must contain at least one special character',
    })
  })

  test('an invalid secret file is reported without the secret', () => {
    const path = keep('wrong', 'mysql://root:hunter2@db/landfall')
    assert.throws(
      () => readConfig({ DATABASE_URL_FILE: path }),
      (error: unknown) => error instanceof ConfigError && !error.message.includes('hunter2'),
    )
  })
})

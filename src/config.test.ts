import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { suite, test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

suite('Configuration from the environment', () => {
  test('the server starts without any configuration', () => {
    assert.deepEqual(readConfig({}), {
      host: '0.0.0.0',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      dataDir: './data',
      databaseUrl: null,
      adminEmail: 'admin@localhost.test',
      hasFirstAdmin: false,
      clamdUrl: null,
      imapUrl: null,
      adminPassword: null,
      smtpUrl: null,
      mailFrom: 'no-reply@localhost',
      smtpPrivateHosts: false,
      trustProxy: 0,
      secretKey: null,
      secretKeyOld: null,
      mailchimpApiUrl: 'https://mandrillapp.com/api/1.0',
      graphApiUrl: 'https://graph.microsoft.com/v1.0',
      microsoftLoginUrl: 'https://login.microsoftonline.com',
      recaptchaVerifyUrl: 'https://www.google.com/recaptcha/api/siteverify',
      recaptchaSiteKey: '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI',
      securityContact: null,
      metricsToken: null,
    })
  })

  test('an empty variable counts as not set, as in a compose file', () => {
    const empty = { PORT: '', HOST: ' ', PUBLIC_URL: '', DATABASE_URL: '', SMTP_URL: '', SECRET_KEY: '' }
    assert.deepEqual(readConfig(empty), readConfig({}))
  })

  test('either variable of the first admin makes one, and neither leaves it to the set-up link (found E5)', () => {
    const hasAdmin = (env: Record<string, string>) => readConfig(env).hasFirstAdmin
    assert.equal(hasAdmin({ ADMIN_EMAIL: 'boss@agency.test' }), true)
    assert.equal(hasAdmin({ ADMIN_PASSWORD: 'Correct-Horse-7-Staple!' }), true)
    assert.equal(hasAdmin({ ADMIN_EMAIL: '', ADMIN_PASSWORD: ' ' }), false)
  })

  test('every variable has an effect on the configuration', () => {
    const secretKey = 'x'.repeat(32)
    const env = {
      HOST: '127.0.0.1',
      PORT: '8080',
      PUBLIC_URL: 'https://www.agency.test/',
      DATA_DIR: '/srv/landfall',
      DATABASE_URL: 'postgres://landfall:secret@db/landfall',
      ADMIN_EMAIL: 'Boss@Agency.test',
      ADMIN_PASSWORD: 'Correct-Horse-7-Staple!',
      SMTP_URL: 'smtps://user:pass@relay.test:465',
      CLAMD_URL: 'tcp://127.0.0.1:3310',
      IMAP_URL: 'imaps://desk%40agency.test:pass@mail.test/INBOX',
      MAIL_FROM: 'hello@agency.test',
      SMTP_PRIVATE_HOSTS: 'true',
      TRUST_PROXY: '2',
      SECRET_KEY: secretKey,
      SECRET_KEY_OLD: 'y'.repeat(32),
      MAILCHIMP_API_URL: 'https://mail.agency.test/api/',
      GRAPH_API_URL: 'https://graph.agency.test/v1.0/',
      MICROSOFT_LOGIN_URL: 'http://127.0.0.1:8080/',
      RECAPTCHA_VERIFY_URL: 'https://check.agency.test/siteverify',
      RECAPTCHA_SITE_KEY: 'a-site-key-of-our-own',
      SECURITY_CONTACT: 'security@agency.test',
      METRICS_TOKEN: 'sixteen-symbols-',
    }
    assert.deepEqual(readConfig(env), {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'https://www.agency.test',
      dataDir: '/srv/landfall',
      databaseUrl: env.DATABASE_URL,
      adminEmail: 'boss@agency.test',
      hasFirstAdmin: true,
      adminPassword: env.ADMIN_PASSWORD,
      smtpUrl: env.SMTP_URL,
      clamdUrl: env.CLAMD_URL,
      imapUrl: env.IMAP_URL,
      mailFrom: 'hello@agency.test',
      smtpPrivateHosts: true,
      trustProxy: 2,
      secretKey,
      secretKeyOld: env.SECRET_KEY_OLD,
      mailchimpApiUrl: 'https://mail.agency.test/api',
      graphApiUrl: 'https://graph.agency.test/v1.0',
      microsoftLoginUrl: 'http://127.0.0.1:8080',
      recaptchaVerifyUrl: env.RECAPTCHA_VERIFY_URL,
      recaptchaSiteKey: env.RECAPTCHA_SITE_KEY,
      securityContact: 'mailto:security@agency.test',
      metricsToken: env.METRICS_TOKEN,
    })
  })

  test('the default links and sender follow from the configured port and address', () => {
    assert.equal(readConfig({ PORT: '8080' }).publicUrl, 'http://localhost:8080')
    assert.equal(
      readConfig({ PUBLIC_URL: 'https://www.agency.test:8443' }).mailFrom,
      'no-reply@www.agency.test',
    )
  })

  const refusals: [Record<string, string>, RegExp][] = [
    [{ PORT: '0' }, /^PORT takes a whole number from 1 to 65535, not "0"$/],
    [{ PORT: '65536' }, /^PORT /],
    [
      { GRAPH_API_URL: 'http://graph.agency.test/v1.0' },
      /^GRAPH_API_URL takes an address that begins with https/,
    ],
    [{ MICROSOFT_LOGIN_URL: 'login.agency.test' }, /^MICROSOFT_LOGIN_URL /],
    [{ SMTP_PRIVATE_HOSTS: 'yes' }, /^SMTP_PRIVATE_HOSTS takes true or false, not "yes"$/],
    [{ PORT: '80a' }, /^PORT /],
    [{ PORT: '-1' }, /^PORT /],
    [{ PORT: '8e3' }, /^PORT /],
    [{ PORT: '80.5' }, /^PORT /],
    [{ TRUST_PROXY: 'true' }, /^TRUST_PROXY takes a whole number from 0 to 10, not "true"$/],
    [{ TRUST_PROXY: '11' }, /^TRUST_PROXY /],
    [{ PUBLIC_URL: 'agency.test' }, /^PUBLIC_URL takes an origin like .*, not "agency.test"$/],
    [{ PUBLIC_URL: 'https://agency.test/site' }, /^PUBLIC_URL /],
    [{ PUBLIC_URL: 'https://agency.test/?a' }, /^PUBLIC_URL /],
    [{ PUBLIC_URL: 'https://user@agency.test' }, /^PUBLIC_URL /],
    [{ PUBLIC_URL: 'ftp://agency.test' }, /^PUBLIC_URL /],
    [{ ADMIN_EMAIL: 'boss' }, /^ADMIN_EMAIL takes one e-mail address, not "boss"$/],
    [{ ADMIN_EMAIL: 'a@b.test, c@d.test' }, /^ADMIN_EMAIL /],
    [{ MAIL_FROM: 'Landfall <a@b.test>' }, /^MAIL_FROM /],
    [
      { IMAP_URL: 'imaps://mail.test' },
      /^IMAP_URL takes an address that begins with imaps:\/\/ or imap:\/\/, such as imaps:/,
    ],
    [{ IMAP_URL: 'smtp://desk:pass@mail.test' }, /^IMAP_URL /],
    [{ CLAMD_URL: 'http://127.0.0.1:3310' }, /^CLAMD_URL takes tcp:\/\/host:port or unix:\/path/],
    [{ CLAMD_URL: 'tcp://127.0.0.1' }, /^CLAMD_URL /],
    [{ SMTP_URL: 'smtp://relay.test' }, /^MAIL_FROM is required with SMTP_URL/],
    [{ DATABASE_URL: 'postgres://db/landfall' }, /^SECRET_KEY is required with DATABASE_URL/],
    [{ SECRET_KEY: 'x'.repeat(31) }, /^SECRET_KEY takes at least 32 characters$/],
    [{ SECRET_KEY_OLD: 'x'.repeat(31) }, /^SECRET_KEY_OLD takes at least 32 characters$/],
    [{ SECURITY_CONTACT: 'http://agency.test' }, /^SECURITY_CONTACT takes one e-mail address or an address/],
    [{ SECURITY_CONTACT: 'the front desk' }, /^SECURITY_CONTACT /],
    [
      { SECRET_KEY: 'x'.repeat(32), SECRET_KEY_FILE: '/run/secrets/key' },
      /^SECRET_KEY and SECRET_KEY_FILE are both set/,
    ],
    [
      { SMTP_URL_FILE: '/no/such/file' },
      /^SMTP_URL_FILE names a file that cannot be read: \/no\/such\/file \(ENOENT\)$/,
    ],
    [
      { METRICS_TOKEN_FILE: tmpdir() },
      /^METRICS_TOKEN_FILE names a file that cannot be read: .* \(EISDIR\)$/,
    ],
    [{ ADMIN_PASSWORD: 'Sh0rt!' }, /^ADMIN_PASSWORD takes .*: Password must be at least 8 characters$/],
    [{ ADMIN_PASSWORD: 'Password1!' }, /^ADMIN_PASSWORD takes .*: Password must not be a common one/],
    [{ METRICS_TOKEN: 'x'.repeat(15) }, /^METRICS_TOKEN takes 16 to 200 visible ASCII characters$/],
    [{ METRICS_TOKEN: 'two words of a token' }, /^METRICS_TOKEN /],
  ]
  for (const [env, message] of refusals) {
    test(`an invalid environment is reported in one line: ${JSON.stringify(env)}`, () => {
      assert.throws(
        () => readConfig(env),
        (error: unknown) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, message)
          assert.doesNotMatch(error.message, /\n/)
          return true
        },
      )
    })
  }

  test('an error about a password never contains the password', () => {
    const secrets = {
      SMTP_URL: 'http://user:hunter2@relay.test',
      DATABASE_URL: 'mysql://root:hunter2@db/landfall',
      IMAP_URL: 'imaps://desk:hunter2%@mail.test',
    }
    for (const [name, value] of Object.entries(secrets)) {
      assert.throws(
        () => readConfig({ [name]: value, MAIL_FROM: 'a@b.test', SECRET_KEY: 'x'.repeat(32) }),
        (error: unknown) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, new RegExp(`^${name} takes an address that begins with`))
          assert.doesNotMatch(error.message, /hunter2/)
          return true
        },
      )
    }
  })
})

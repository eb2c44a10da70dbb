import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { textsFor } from '../../src/i18n/texts.ts'
import { minutes } from '../../src/platform/clock.ts'
import { answerTexts, screenTexts, visitorTexts } from '../e2e/specified-texts.ts'
import { leavesOf } from '../support/leaves.ts'
import { storeMessages } from '../support/messages.ts'
import { SECRET_KEY } from '../support/recaptcha-server.ts'
import { askForCode, createStaff, STAFF_PASSWORD, signInAs } from '../support/staff.ts'
import { openTestAppWithCaptcha, visitor } from '../support/test-app-with-captcha.ts'
import { until } from '../support/until.ts'

suite('The texts of the specification', () => {
  test('each specified text is looked for in a test in a browser, on the screen where it belongs', () => {
    const sources = globSync('tests/{e2e,components}/*.spec.ts').map(file => readFileSync(file, 'utf8'))
    const lookedFor = sources.flatMap(textsLookedFor)
    const specified = Object.entries(screenTexts).flatMap(([place, texts]) =>
      texts.map(text => `${place}: ${text}`),
    )
    const lacking = (texts: readonly string[], others: readonly string[]) =>
      texts.filter(text => !others.includes(text))
    assert.deepEqual(lacking(specified, lookedFor), [], 'in the table, and in no test')
    assert.deepEqual(lacking(lookedFor, specified), [], 'in a test, and not in the table')
  })

  test('each specified text for visitors is in the English catalogue, and looked for in an end-to-end test', () => {
    const catalogue = new Set(leavesOf(textsFor('en')))
    assert.deepEqual(
      visitorTexts.filter(text => !catalogue.has(text)),
      [],
    )
    const sources = globSync(['tests/{e2e,components}/*.spec.ts', 'tests/e2e/public-texts.ts'])
      .map(file => readFileSync(file, 'utf8'))
      .join()
    assert.deepEqual(
      visitorTexts.filter(text => !sources.includes(`'${text}'`)),
      [],
    )
  })
})

/** The places and texts that a source calls `expectTexts` with. */
function textsLookedFor(source: string): string[] {
  const calls = source.matchAll(/^ *await expectTexts\((.*?)\)$/gms)
  return [...calls].flatMap(([, args = '']) => {
    const literals = [...args.matchAll(/'([^']*)'|"([^"]*)"/g)].map(
      ([, single, double]) => single ?? double ?? '',
    )
    // What comes before the place says where on the screen to look.
    const at = literals.findIndex(literal => Object.hasOwn(screenTexts, literal))
    return literals.slice(at + 1).map(text => `${literals[at]}: ${text}`)
  })
}

suite('Specified replies', async () => {
  const { testApp, set, newToken } = await openTestAppWithCaptcha()
  const { mailServer } = testApp
  await set({ recaptcha_enabled: 'false' })
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
  const mina = await createStaff(testApp)

  const logIn = (credentials: object) =>
    testApp
      .browser()
      .send('POST', '/api/auth/login', { email: mina.email, password: 'wrong', ...credentials })
  async function enterCode(choose: (right: string) => string) {
    const browser = testApp.browser()
    const code = choose(await askForCode(testApp, browser, mina.email))
    return await browser.send('POST', '/api/auth/verify-2fa', { code })
  }
  const addUser = (change: object) => {
    const person = { name: 'Ana Reyes', email: 'ana@agency.test', role: 'viewer', password: STAFF_PASSWORD }
    return admin.send('POST', '/api/users', { ...person, ...change })
  }
  const changeUser = (change: object) => admin.send('PATCH', `/api/users/${mina.id}`, change)
  const changeSetting = (key: string, value: string) => admin.send('PUT', `/api/settings/${key}`, { value })
  const verify = (token: string) => testApp.browser().fetch(`/api/auth/verify-email?token=${token}`)

  async function withBotCheck(work: () => Promise<Response>) {
    await set({ recaptcha_enabled: 'true', recaptcha_secret_key: SECRET_KEY })
    try {
      return await work()
    } finally {
      await set({ recaptcha_enabled: 'false' })
    }
  }
  async function withoutMail(work: () => Promise<Response>) {
    mailServer.behaviour = 'refuse'
    try {
      return await work()
    } finally {
      mailServer.release()
    }
  }

  const mistakesInUser = (send: (change: object) => Promise<Response>) => ({
    'Please enter a valid email address': () => send({ email: 'ana@' }),
    'Name must be at least 3 characters': () => send({ name: 'Al' }),
    'Password must be at least 8 characters': () => send({ password: 'Aa1!aaa' }),
    'Password must contain at least one lowercase letter': () => send({ password: 'KWTR1111!' }),
    'Password must contain at least one uppercase letter': () => send({ password: 'kwtr1111!' }),
    'Password must contain at least one number': () => send({ password: 'KWTRkwtr!' }),
    'Password must contain at least one special character': () => send({ password: 'KWTRkwtr1' }),
  })
  function answersToEnquiry(path: string) {
    const send = (change: object) => testApp.browser().send('POST', path, { ...visitor, ...change })
    return {
      'Name must be at least 2 characters': () => send({ name: 'A' }),
      'Please enter a valid email address': () => send({ email: 'ana@' }),
      'Please enter a valid phone number': () => send({ phone: '555010' }),
      'Message must be at least 10 characters': () => send({ message: 'Nine char' }),
      'Please complete the reCAPTCHA verification': () => withBotCheck(() => send({ recaptchaToken: '' })),
      'Thank you for your interest. We will contact you shortly.': () =>
        withBotCheck(() => send({ recaptchaToken: newToken() })),
    }
  }

  /** How each answer is brought about. */
  const requests: {
    readonly [Call in keyof typeof answerTexts]: Record<
      (typeof answerTexts)[Call][number],
      () => Promise<Response>
    >
  } = {
    'POST /api/auth/login': {
      'Please enter a valid email address': () => logIn({ email: 'mina@' }),
      'Please complete the reCAPTCHA verification': () => withBotCheck(() => logIn({ recaptchaToken: '' })),
      'Login failed': () => logIn({}),
    },
    'POST /api/auth/verify-2fa': {
      'Verification code must be 6 digits': () => enterCode(right => right.slice(1)),
      'Verification failed': () => enterCode(right => (right === '000000' ? '000001' : '000000')),
    },
    'POST /api/auth/resend-2fa': {
      'Failed to resend code': async () => {
        const browser = testApp.browser()
        await askForCode(testApp, browser, mina.email)
        testApp.wait(minutes(1))
        // A code whose email fails is printed on the console, unless it is of no use to anybody by then.
        mailServer.behaviour = 'hang'
        const reply = browser.send('POST', '/api/auth/resend-2fa')
        await until(() => mailServer.held > 0)
        await changeUser({ name: 'Mina Novak', password: `${STAFF_PASSWORD}2` })
        mailServer.release('refuse')
        return await reply.finally(() => mailServer.release())
      },
    },
    'GET /api/auth/verify-email': {
      'Invalid verification token': () => verify('x'),
      'Your email has been verified successfully!': async () => {
        await addUser({})
        const email = await mailServer.next(({ recipients }) => recipients.includes('ana@agency.test'))
        return await verify(/verify-email\?token=(\S+)/.exec(email.text ?? '')?.[1] ?? '')
      },
    },
    'POST /api/users': mistakesInUser(addUser),
    'PATCH /api/users/:id': mistakesInUser(changeUser),
    'PUT /api/settings/:key': {
      'Please enter a valid email address': () => changeSetting('form_email', 'desk'),
      'Site name must be at least 3 characters': () => changeSetting('site_name', 'ab'),
      'Contact phone must be at least 5 characters': () => changeSetting('contact_phone', '1234'),
      'Site key is required': async () => {
        await changeSetting('recaptcha_site_key', '')
        return await changeSetting('recaptcha_enabled', 'true')
      },
      'Secret key is required': async () => {
        await changeSetting('recaptcha_secret_key', '')
        return await changeSetting('recaptcha_enabled', 'true')
      },
      '********{last four}': () => changeSetting('recaptcha_secret_key', SECRET_KEY),
    },
    'POST /api/messages/:id/forward': {
      'Failed to forward message': async () => {
        const [id] = await storeMessages(testApp, [{}])
        return await withoutMail(() => admin.send('POST', `/api/messages/${id}/forward`))
      },
    },
    'POST /api/contact': answersToEnquiry('/api/contact'),
    'POST /api/visa-assessment': answersToEnquiry('/api/visa-assessment'),
    'POST /api/track-application': answersToEnquiry('/api/track-application'),
  }

  test('every specified reply of a call is tested here', () => {
    const tried = Object.entries(requests).map(([call, answers]) => [call, Object.keys(answers).sort()])
    const specified = Object.entries(answerTexts).map(([call, texts]) => [call, [...texts].sort()])
    assert.deepEqual(tried, specified)
  })

  for (const [call, answers] of Object.entries(requests))
    for (const [text, send] of Object.entries(answers))
      test(`${call} replies: ${text}`, async () => {
        const { message, errors, setting } = await (await send()).json()
        const said = [message, ...Object.values(errors ?? {}), setting?.value]
        const expected = text.replace('{last four}', SECRET_KEY.slice(-4))
        assert.ok(said.includes(expected), JSON.stringify(said))
      })
})

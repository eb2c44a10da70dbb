import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { hours, minutes, seconds } from '../../clock.ts'
import { openServices } from '../../services.ts'
import type { Browser } from '../../testing/browser.ts'
import { openOffice } from '../../testing/office.ts'
import { openRecaptchaServer, SECRET_KEY } from '../../testing/recaptcha-server.ts'
import { listMessages } from '../messages/store.server.ts'
import { enquiries } from './contract.ts'
import { writeGatheredNotice } from './gather.server.ts'

const visitor = {
  name: 'Ana Reyes',
  email: 'ana@example.test',
  phone: '+61 2 5550 0100',
  message: 'I would like to bring my parents to Australia.',
}
const PLACEHOLDER = 'recaptcha_error_1760000000000'

async function openGuardedOffice() {
  const google = await openRecaptchaServer('agency.test')
  after(() => google.close())
  google.facts = { hostname: 'agency.test', action: 'submit', score: 0.9 }
  const office = await openOffice({ recaptchaVerifyUrl: google.url })
  await office.services.settings.write('recaptcha_enabled', 'true')
  await office.services.settings.write('recaptcha_secret_key', SECRET_KEY)
  let tokens = 0
  return { google, office, newToken: () => `good-${++tokens}` }
}

suite('From one address', async () => {
  const { google, office, newToken } = await openGuardedOffice()

  test('three enquiries in ten minutes are stored unverified, then none until they are over', async () => {
    const browser = office.browser()
    for (const token of [PLACEHOLDER, 'recaptcha_unavailable_nojs', 'recaptcha_disabled'])
      assert.equal(await statusOf(browser, token), 201)
    const refusal = await post(browser, PLACEHOLDER)
    assert.equal(refusal.status, 429)
    assert.equal(refusal.headers.get('retry-after'), '600')
    office.wait(minutes(10) - seconds(1))
    assert.equal(await statusOf(browser, PLACEHOLDER), 429)
    office.wait(seconds(1))
    assert.equal(await statusOf(browser, PLACEHOLDER), 201)
  })

  test('a low score counts as unverified', async () => {
    const browser = office.browser()
    google.facts.score = 0.2
    for (let sent = 0; sent < 3; sent++) assert.equal(await statusOf(browser, newToken()), 201)
    assert.equal(await statusOf(browser, newToken()), 429)
    google.facts.score = 0.9
    assert.equal(await statusOf(browser, newToken()), 201)
  })

  test('ten verified ones are stored, and an eleventh is not even asked about', async () => {
    const browser = office.browser()
    for (let sent = 0; sent < 10; sent++) assert.equal(await statusOf(browser, newToken()), 201)
    const asked = google.asked.length
    assert.equal(await statusOf(browser, newToken()), 429)
    assert.equal(await statusOf(browser, newToken(), { 'idempotency-key': 'an-eleventh' }), 429)
    assert.equal(google.asked.length, asked)
    office.wait(minutes(10))
    assert.equal(await statusOf(browser, newToken()), 201)
  })

  test('ten are stored while the check is off, whatever their tokens', async () => {
    await office.services.settings.write('recaptcha_enabled', 'false')
    const browser = office.browser()
    for (let sent = 0; sent < 10; sent++) assert.equal(await statusOf(browser, PLACEHOLDER), 201)
    assert.equal(await statusOf(browser, PLACEHOLDER), 429)
    await office.services.settings.write('recaptcha_enabled', 'true')
  })

  test('fifty unverified at once are still three', async () => {
    const browser = office.browser()
    const statuses = await Promise.all(Array.from({ length: 50 }, () => statusOf(browser, PLACEHOLDER)))
    assert.equal(statuses.filter(status => status === 201).length, 3)
    assert.equal(statuses.filter(status => status === 429).length, 47)
  })

  test('a refused token uses up nothing', async () => {
    const browser = office.browser()
    for (let sent = 0; sent < 20; sent++) assert.equal(await statusOf(browser, 'forged'), 400)
    for (let sent = 0; sent < 10; sent++) assert.equal(await statusOf(browser, newToken()), 201)
  })

  test('an enquiry that could not be stored uses up nothing', async () => {
    const browser = office.browser()
    const { addOnce } = failingOutbox()
    for (let sent = 0; sent < 5; sent++) {
      addOnce()
      assert.equal(await statusOf(browser, PLACEHOLDER), 500)
    }
    for (let sent = 0; sent < 3; sent++) assert.equal(await statusOf(browser, PLACEHOLDER), 201)
  })

  test('a repeat gets the first answer without a word to the provider', async () => {
    const browser = office.browser()
    const token = newToken()
    const first = await (await post(browser, token, { 'idempotency-key': 'one-and-the-same' })).json()
    const asked = google.asked.length
    const again = await post(browser, token, { 'idempotency-key': 'one-and-the-same' })
    assert.equal(again.status, 201)
    assert.deepEqual(await again.json(), first)
    assert.equal(google.asked.length, asked)
  })

  test('twenty repeats at once of a token that works once are one enquiry', async () => {
    const browser = office.browser()
    const headers = { 'idempotency-key': 'twenty-at-once' }
    const token = newToken()
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(browser, token, headers)))
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [201])
    const references = await Promise.all(responses.map(async response => (await response.json()).reference))
    assert.equal(new Set(references).size, 1)
  })

  /** Makes the next letter fail as a bug would. */
  function failingOutbox() {
    const { outbox } = office.services
    const { add } = outbox
    return {
      addOnce: () => {
        outbox.add = async () => {
          outbox.add = add
          throw new Error('a bug')
        }
      },
    }
  }
})

suite('Under a flood of unverified enquiries', async () => {
  const { google, office, newToken } = await openGuardedOffice()
  const { services, mailServer } = office

  test('staff get sixty letters in an hour, then one letter for all the others', async () => {
    await flood(59)
    google.facts.score = 0.1
    await send(newToken())
    google.facts.score = 0.9
    await lettersAre(60)
    const gathered: string[] = []
    for (const token of [PLACEHOLDER, 'recaptcha_disabled', PLACEHOLDER]) {
      office.wait(1)
      gathered.push(await send(token))
    }
    assert.deepEqual(await letterStates(3), ['waiting', 'waiting', 'waiting'])

    const verified = await send(newToken())
    await mailServer.next(({ subject }) => subject?.includes(verified) ?? false)

    office.wait(hours(1) - minutes(1))
    services.outbox.wake()
    await pause()
    assert.equal(mailServer.letters.length, 61)

    office.wait(minutes(1))
    services.outbox.wake()
    const letter = await mailServer.next(
      ({ subject }) => subject?.includes('3 unverified enquiries') ?? false,
    )
    for (const reference of gathered) assert.ok(letter.text?.includes(reference), reference)
    assert.ok(!letter.text?.includes(verified))
    assert.ok(!letter.text?.includes(visitor.name))
    assert.ok(!letter.headers.some(({ key }) => key === 'reply-to'))
    await letterStatesBecome(4, ['sent', 'sent', 'sent', 'sent'])
  })

  test('an hour later each is told of by itself again', async () => {
    office.wait(hours(1))
    const reference = await send(PLACEHOLDER)
    await mailServer.next(({ subject }) => subject?.startsWith(`${reference}:`) ?? false)
  })

  test('two that look for what is due at once write one letter', async () => {
    office.wait(hours(2))
    await flood(61)
    const other = services.config.databaseUrl ? await openSecondNode() : services
    office.wait(hours(1))
    await Promise.all([services, other, services, other].map(writeGatheredNotice))
    if (other !== services) await other.close()
    services.outbox.wake()
    await mailServer.next(({ subject }) => subject?.includes('1 unverified enquiry in') ?? false)
    const digests = await services.db
      .selectFrom('outbox')
      .select('id')
      .where('message_id', 'is', null)
      .execute()
    assert.equal(digests.length, 2)
  })

  test('messages show how the letter that tells of them is doing', async () => {
    office.wait(hours(2))
    await flood(62)
    mailServer.behaviour = 'refuse'
    office.wait(hours(1))
    services.outbox.wake()
    await pause()
    assert.deepEqual(await letterStates(2), ['waiting', 'waiting'])
    mailServer.behaviour = 'accept'
    office.wait(minutes(30))
    services.outbox.wake()
    await letterStatesBecome(2, ['sent', 'sent'])
  })

  test('a gathered message can be deleted before its letter is written', async () => {
    office.wait(hours(2))
    await flood(62)
    const { messages } = await listMessages(services.db, { limit: 2 })
    const [gone, kept] = messages
    await services.db
      .deleteFrom('messages')
      .where('id', '=', gone?.id ?? '')
      .execute()
    office.wait(hours(1))
    services.outbox.wake()
    const letter = await mailServer.next(
      ({ text }) => text?.includes(`References: ${kept?.reference}`) ?? false,
    )
    assert.ok(letter.subject?.startsWith('1 unverified'))
  })

  test('a letter that cannot be written yet holds up no other', async () => {
    office.wait(hours(2))
    await flood(61)
    office.wait(hours(1))
    const { settings } = services
    const { read } = settings
    let failures = 0
    settings.read = async () => {
      failures++
      throw new Error('a bug')
    }
    services.outbox.wake()
    await until(() => failures > 0)
    settings.read = read
    const reference = await send(newToken())
    await mailServer.next(({ subject }) => subject?.includes(reference) ?? false)
    await letterStatesBecome(2, ['sent', 'sent'])
  })

  test('seventy at once are sixty letters and one for the other ten', async () => {
    office.wait(hours(2))
    const { length: before } = mailServer.letters
    await Promise.all(Array.from({ length: 70 }, () => send(PLACEHOLDER)))
    await lettersAre(before + 60)
    office.wait(hours(1))
    services.outbox.wake()
    await mailServer.next(({ subject }) => subject?.startsWith('10 unverified enquiries') ?? false)
  })

  /** Only PostgreSQL is shared: an SQLite file has one process. */
  async function openSecondNode() {
    return await openServices(services.config, { clock: services.clock, print: () => {} })
  }

  /** So many enquiries, three from each address, a second apart, so that the newest are also the last in the list. */
  async function flood(count: number) {
    for (let sent = 0; sent < count; sent += 3) {
      const browser = office.browser()
      for (const _ of Array(Math.min(3, count - sent))) {
        office.wait(seconds(1))
        await browser.call(enquiries.contact, { ...visitor, recaptchaToken: PLACEHOLDER })
      }
    }
  }

  async function send(recaptchaToken: string): Promise<string> {
    return (await office.browser().call(enquiries.contact, { ...visitor, recaptchaToken })).reference
  }

  async function lettersAre(count: number) {
    await until(() => mailServer.letters.length >= count)
    assert.equal(mailServer.letters.length, count)
  }

  /** How the letters of the newest messages are doing, as the portal shows it. */
  async function letterStates(limit: number) {
    const { messages } = await listMessages(services.db, { limit })
    return messages.map(({ letter }) => letter)
  }

  async function letterStatesBecome(limit: number, expected: string[]) {
    const deadline = Date.now() + 5000
    let states = await letterStates(limit)
    while (Date.now() < deadline && states.join() !== expected.join()) {
      await pause()
      states = await letterStates(limit)
    }
    assert.deepEqual(states, expected)
  }
})

suite('When the process ends while notices are gathered', async () => {
  const { office } = await openGuardedOffice()

  test('the next one writes the letter that is due', async () => {
    const { services, mailServer } = office
    const browsers = Array.from({ length: 61 }, () => office.browser())
    for (const browser of browsers) assert.equal(await statusOf(browser, PLACEHOLDER), 201)
    await services.close()
    office.wait(hours(1))
    const next = await openServices(services.config, { clock: services.clock, print: () => {} })
    await next.outbox.start()
    await mailServer.next(({ subject }) => subject?.startsWith('1 unverified enquiry') ?? false)
    await next.close()
  })
})

async function post(browser: Browser, recaptchaToken: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ ...visitor, recaptchaToken })
  const type = { 'content-type': 'application/json' }
  return await browser.fetch('/api/contact', { method: 'POST', headers: { ...type, ...headers }, body })
}

async function statusOf(browser: Browser, recaptchaToken: string, headers: Record<string, string> = {}) {
  return (await post(browser, recaptchaToken, headers)).status
}

async function pause() {
  await new Promise(resolve => setTimeout(resolve, 50))
}

async function until(isSo: () => boolean) {
  const deadline = Date.now() + 5000
  while (!isSo() && Date.now() < deadline) await pause()
  assert.ok(isSo())
}

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { stopwatch } from '../../../../tests/support/processor-time.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { newId } from '../../../database/id.ts'
import { seconds } from '../../../platform/clock.ts'
import { messages } from '../contract.ts'

const ADMIN_EMAIL = 'desk@agency.test'

suite('Forwarding a message', async () => {
  const testApp = await openTestApp({ adminEmail: ADMIN_EMAIL })
  const { db, clock } = testApp.services
  const { mailServer } = testApp
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  async function newMessage(change: { name?: string; message?: string } = {}): Promise<string> {
    const id = newId(clock())
    await db
      .insertInto('messages')
      .values({
        id,
        reference: `LF-${id}`,
        form_type: 'visa-assessment',
        name: 'Mai Nguyen',
        email: 'mai@visitor.test',
        phone: '+61 400 000 000',
        service: 'skilled',
        message: 'Can my sister join me in Perth?',
        is_read: 0,
        verification: 'off',
        created_at: clock().toISOString(),
        ...change,
      })
      .execute()
    return id
  }

  const forward = async (id: string, body?: unknown) =>
    await admin.send('POST', `/api/messages/${id}/forward`, body)
  const isRead = async (id: string) => (await admin.call(messages.read, { id })).message.isRead
  const emailsAbout = (id: string) => mailServer.emails.filter(email => email.subject?.includes(id))

  test('a forwarded message goes to the form address, and a reply to it goes to the visitor', async () => {
    const id = await newMessage()
    assert.deepEqual(await (await forward(id)).json(), { success: true, version: 2 })
    const [email] = emailsAbout(id)
    assert.deepEqual(email?.recipients, [ADMIN_EMAIL])
    assert.equal(await isRead(id), true)
    assert.ok(testApp.console.some(entry => entry.includes(id) && entry.includes('Message forwarded')))
    assert.deepEqual(
      email?.replyTo?.map(({ name, address }) => [name, address]),
      [['Mai Nguyen', 'mai@visitor.test']],
    )
    assert.match(
      email?.text ?? '',
      /Received: \d{1,2} [A-Z][a-z]{2,3} \d{4}, \d{1,2}:\d{2} [ap]m, Sydney time/,
    )
    assert.equal(email?.subject, `Fwd: LF-${id}: Visa Assessment from Mai Nguyen`)
    const expected = [
      'Robin the admin has forwarded this message',
      '+61 400 000 000',
      'Skilled Migration',
      'Can my sister',
    ]
    for (const text of expected) {
      assert.ok(email?.text?.includes(text), text)
      assert.ok(email?.html?.includes(text), text)
    }
  })

  test('a forwarded message leads to the conversation first, and says that an answer outside is not kept (found I17)', async () => {
    const id = await newMessage()
    await forward(id)
    const text = emailsAbout(id)[0]?.text ?? ''
    const link = `/messages?message=${id}`
    assert.ok(text.includes(link) && text.indexOf(link) < text.indexOf(`LF-${id}`))
    assert.match(text, /is not kept in Landfall/)
  })

  test('an admin cannot forward a message to any other address (G4)', async () => {
    const id = await newMessage()
    assert.equal((await forward(id, { to: 'x@evil.test' })).status, 400)
    assert.equal((await forward(id, { id: await newMessage() })).status, 400)
    assert.equal(emailsAbout(id).length, 0)
  })

  test('a message can be forwarded to a colleague with access to messages, with a comment, and to nobody else (G4)', async () => {
    const id = await newMessage()
    const reader = await createStaff(testApp, 'viewer', undefined, 'read')
    const stranger = await createStaff(testApp, 'editor')
    for (const to of [stranger.id, newId(clock()), reader.email])
      assert.equal((await forward(id, { to, comment: 'Look' })).status, 400, to)
    assert.equal(emailsAbout(id).length, 0)
    const comment = 'Yours, I think.\n<b>Urgent</b>'
    assert.equal((await forward(id, { to: reader.id, comment })).status, 200)
    const [email] = emailsAbout(id)
    assert.deepEqual(email?.recipients, [reader.email])
    assert.ok(email?.text?.includes(comment) && !email.html?.includes('<b>'))
    assert.equal((await forward(id)).status, 200, 'each recipient has a limit of its own')
    const { entries } = await admin.call(messages.read, { id })
    assert.deepEqual(
      entries.map(({ body, detail }) => [body, detail]),
      [
        ['forwarded', reader.name],
        ['forwarded', null],
      ],
    )
  })

  test('a double click forwards a message once, and it can be forwarded again a minute later (G6)', async () => {
    const id = await newMessage()
    const replies = await Promise.all([forward(id), forward(id)])
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, 429])
    testApp.wait(seconds(40))
    const denied = await forward(id)
    assert.equal(denied.status, 429)
    assert.ok(Number(denied.headers.get('retry-after')) <= 20)
    assert.equal(emailsAbout(id).length, 1)
    assert.equal((await forward(await newMessage())).status, 200, 'another message has its own limit')
    testApp.wait(seconds(20))
    assert.equal((await forward(id)).status, 200)
    assert.equal(emailsAbout(id).length, 2)
  })

  test('an admin sees that the provider rejected a forwarded message, and can retry immediately (G5)', async context => {
    const id = await newMessage()
    mailServer.behaviour = 'refuse'
    context.after(() => mailServer.release())
    const reply = await forward(id)
    assert.equal(reply.status, 503)
    assert.equal((await reply.json()).message, 'Failed to forward message')
    assert.equal(await isRead(id), false, 'a message that was not forwarded stays unread')
    assert.ok(reply.headers.has('retry-after'))
    assert.ok(
      testApp.console.some(entry => entry.includes(id) && /"level":"error".*Mailbox is full/.test(entry)),
    )
    mailServer.behaviour = 'accept'
    assert.equal((await forward(id)).status, 200)
    assert.equal(emailsAbout(id).length, 1)
    const queued = await db.selectFrom('outbox').select('id').execute()
    assert.deepEqual(queued, [], 'nothing is queued that could send a late copy')
  })

  test('an admin sees within ten seconds that the provider does not respond to a forwarded message (G5)', async context => {
    const id = await newMessage()
    mailServer.behaviour = 'hang'
    context.after(() => mailServer.release())
    const watch = stopwatch()
    const waiting = forward(id)
    await until(() => mailServer.held === 1)
    const second = await forward(id)
    assert.equal(second.status, 429, 'a second click does not wait')
    const reply = await waiting
    const [took, tookAtRest] = [watch.passed(), watch.passedAtRest()]
    assert.equal(reply.status, 503)
    assert.equal((await reply.json()).message, 'Failed to forward message')
    assert.ok(took > 9000 && tookAtRest < 11_000, `${took} ms`)
  })

  test('a forwarded email contains what the visitor wrote as text only (G7)', async () => {
    const payloads = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '"><svg onload=alert(1)>',
      "'><iframe src=javascript:alert(1)>",
      '</td></table><a href="https://evil.test">x</a>',
      '&lt;b&gt; &#60;b&#62;',
      '<!-- <style>*{display:none}</style>',
    ]
    for (const payload of payloads) {
      const id = await newMessage({ name: payload, message: `${payload}\n${payload}` })
      assert.equal((await forward(id)).status, 200)
      const [email] = emailsAbout(id)
      assert.ok(email?.text?.includes(payload), payload)
      const html = email?.html?.replace(`<a href="${PUBLIC_URL}/messages?message=${id}"`, '') ?? ''
      assert.doesNotMatch(html, /<(script|img|svg|iframe|a|b|style|!--)\b/i, payload)
    }
  })
})

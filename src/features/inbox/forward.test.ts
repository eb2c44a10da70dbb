import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { minutes, seconds } from '../../clock.ts'
import { newId } from '../../database/id.ts'
import { messages } from './contract.ts'

const DESK = 'desk@agency.test'

suite('An admin who forwards a message', async () => {
  const testApp = await openTestApp({ adminEmail: DESK })
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

  test('has it sent to the form address, and a reply goes to the visitor', async () => {
    const id = await newMessage()
    assert.deepEqual(await (await forward(id)).json(), { success: true })
    const [letter] = emailsAbout(id)
    assert.deepEqual(letter?.recipients, [DESK])
    assert.equal(await isRead(id), true)
    assert.ok(testApp.console.some(line => line.includes(id) && line.includes('A message was forwarded')))
    assert.deepEqual(
      letter?.replyTo?.map(({ name, address }) => [name, address]),
      [['Mai Nguyen', 'mai@visitor.test']],
    )
    assert.equal(letter?.subject, `Fwd: LF-${id}: Visa Assessment from Mai Nguyen`)
    const told = [
      'Robin the admin has forwarded this message',
      '+61 400 000 000',
      'Skilled Migration',
      'Can my sister',
    ]
    for (const text of told) {
      assert.ok(letter?.text?.includes(text), text)
      assert.ok(letter?.html?.includes(text), text)
    }
  })

  test('cannot have it sent anywhere else (G4)', async () => {
    const id = await newMessage()
    assert.equal((await forward(id, { to: 'x@evil.test' })).status, 400)
    assert.equal((await forward(id, { id: await newMessage() })).status, 400)
    assert.equal(emailsAbout(id).length, 0)
  })

  test('sends one letter with a double click, and may send another a minute later (G6)', async () => {
    const id = await newMessage()
    const replies = await Promise.all([forward(id), forward(id)])
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, 429])
    testApp.wait(minutes(1) - seconds(3))
    const refused = await forward(id)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) <= 3)
    assert.equal(emailsAbout(id).length, 1)
    assert.equal((await forward(await newMessage())).status, 200, 'another message is not concerned')
    testApp.wait(seconds(4))
    assert.equal((await forward(id)).status, 200)
    assert.equal(emailsAbout(id).length, 2)
  })

  test('is told when the provider refuses, and may try again at once (G5)', async context => {
    const id = await newMessage()
    mailServer.behaviour = 'refuse'
    context.after(() => mailServer.release())
    const reply = await forward(id)
    assert.equal(reply.status, 503)
    assert.equal((await reply.json()).message, 'Failed to forward message')
    assert.equal(await isRead(id), false, 'nobody has dealt with it')
    assert.ok(reply.headers.has('retry-after'))
    assert.ok(
      testApp.console.some(line => line.includes(id) && /"level":"error".*Mailbox is full/.test(line)),
    )
    mailServer.behaviour = 'accept'
    assert.equal((await forward(id)).status, 200)
    assert.equal(emailsAbout(id).length, 1)
    const kept = await db.selectFrom('outbox').select('id').execute()
    assert.deepEqual(kept, [], 'nothing is left that could send a late copy')
  })

  test('is told within ten seconds when the provider says nothing (G5)', async context => {
    const id = await newMessage()
    mailServer.behaviour = 'hang'
    context.after(() => mailServer.release())
    const start = performance.now()
    const waiting = forward(id)
    await until(() => mailServer.held === 1)
    const impatient = await forward(id)
    assert.equal(impatient.status, 429, 'a second click does not wait')
    const reply = await waiting
    const took = performance.now() - start
    assert.equal(reply.status, 503)
    assert.equal((await reply.json()).message, 'Failed to forward message')
    assert.ok(took > 9000 && took < 11_000, `${took} ms`)
  })

  test('passes on what a visitor wrote as text only (G7)', async () => {
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
      const [letter] = emailsAbout(id)
      assert.ok(letter?.text?.includes(payload), payload)
      assert.doesNotMatch(letter?.html ?? '', /<(script|img|svg|iframe|a|b|style|!--)\b/i, payload)
    }
  })
})

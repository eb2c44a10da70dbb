import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { MAX_TEXT } from '../conversation/contract.ts'
import { REPLIES_PER_USER } from './reply.server.ts'

suite('Hostile replies', async () => {
  const testApp = await openTestApp()
  const { clock, rateLimiter } = testApp.services
  const ana = await signInToInbox(testApp)

  test('copies go to whom they name, who are seen by all, and to nobody twice', async () => {
    const email = 'copies@visitor.test'
    const id = await storeMessage(testApp, { email })
    const cc = ['son@visitor.test', 'SON@visitor.test', email.toUpperCase(), 'agent@other.test']
    const { id: replyId } = await ana.reply(id, 'To all', { cc })
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId)
    const [sent, ...more] = emailsTo(testApp, email)
    assert.equal(more.length, 0)
    assert.deepEqual(sent?.recipients, [email, 'SON@visitor.test', 'agent@other.test'])
    assert.deepEqual(
      sent?.cc?.map(({ address }) => address),
      ['SON@visitor.test', 'agent@other.test'],
    )
    assert.deepEqual((await ana.open(id)).entries[0]?.cc, ['SON@visitor.test', 'agent@other.test'])
  })

  test('no recipient can be added by a hostile copy or text (G10)', async () => {
    const email = 'hostile@visitor.test'
    const id = await storeMessage(testApp, { email })
    const hostile = [
      'a@b.test\r\nBcc: spy@evil.test',
      'a@b.test, spy@evil.test',
      'a@b.test>,<spy@evil.test',
      'Spy <spy@evil.test>',
      'spy@evil.test\0',
      '"spy\r\n"@evil.test',
      'spy',
      '',
      `${'a'.repeat(250)}@b.test`,
    ]
    for (const cc of hostile)
      assert.equal((await ana.send(id, { body: 'x', lastSeq: 0, cc: [cc] })).status, 400, cc)
    const eleven = Array.from({ length: 11 }, (_, number) => `copy-${number}@b.test`)
    assert.equal((await ana.send(id, { body: 'x', lastSeq: 0, cc: eleven })).status, 400)
    const body = 'Bcc: spy@evil.test\r\n\r\n\r\n.\r\nRCPT TO:<spy@evil.test>\r\n'
    const { id: replyId } = await ana.reply(id, body)
    passUndoTime(testApp)
    await untilDelivered(testApp, replyId)
    const [sent] = emailsTo(testApp, email)
    assert.deepEqual(sent?.recipients, [email])
    assert.deepEqual([sent?.bcc, sent?.cc], [undefined, undefined])
    assert.ok(sent?.text?.includes('RCPT TO:<spy@evil.test>'))
  })

  test('a text has a limit, and is stored as it will be read', async () => {
    const id = await storeMessage(testApp)
    for (const body of ['', ' \n ', 'x'.repeat(MAX_TEXT + 1), 7, null])
      assert.equal((await ana.send(id, { body, lastSeq: 0 })).status, 400)
    assert.equal((await ana.send(id, { body: '日'.repeat(MAX_TEXT), lastSeq: 0 })).status, 201)
    assert.equal((await ana.send(id, { body: 'x'.repeat(70_000), lastSeq: 9 })).status, 413)
    const note = await ana.note(id, ' one\r\ntwo\0\u001b[31m\ud800 ')
    assert.equal(note.body, 'one\ntwo[31m\ufffd')
    for (const place of ['notes', 'calls'])
      assert.equal(
        (await ana.browser.send('POST', `/api/messages/${id}/${place}`, { body: '\0' })).status,
        400,
      )
    const gone = newId(clock())
    for (const [method, path, body] of [
      ['POST', 'replies', { body: 'x', lastSeq: 0 }],
      ['POST', 'notes', { body: 'x' }],
      ['POST', 'calls', { body: 'x' }],
      ['PUT', 'draft', { kind: 'note', body: 'x' }],
      ['DELETE', `replies/${gone}`, undefined],
      ['POST', `replies/${gone}/retry`, undefined],
    ] as const)
      assert.equal((await ana.browser.send(method, `/api/messages/${gone}/${path}`, body)).status, 404, path)
  })

  test('one person sends at most three hundred replies an hour', async () => {
    const id = await storeMessage(testApp)
    const colleague = await signInToInbox(testApp)
    for (let count = 1; count < REPLIES_PER_USER.count; count++)
      await rateLimiter.consume(REPLIES_PER_USER, colleague.id)
    const last = await colleague.reply(id, 'The last one')
    const more = async () => await colleague.send(id, { body: 'Too many', lastSeq: last.seq })
    assert.equal((await more()).status, 429)
    assert.equal((await ana.send(id, { body: 'Another person', lastSeq: last.seq })).status, 201)
  })

  test('each recipient of a copy counts as a reply, and what is refused uses nothing up (found K8)', async () => {
    const id = await storeMessage(testApp, { email: 'first@visitor.test' })
    const colleague = await signInToInbox(testApp)
    for (let count = 4; count < REPLIES_PER_USER.count; count++)
      await rateLimiter.consume(REPLIES_PER_USER, colleague.id)
    const send = async (cc: readonly string[]) =>
      await colleague.send(id, { body: 'With copies', lastSeq: (await colleague.open(id)).lastSeq, cc })
    const four = ['a', 'b', 'c', 'd'].map(name => `${name}@other.test`)
    assert.equal((await send(four)).status, 429, 'five recipients, and four are left')
    assert.equal((await send([...four.slice(1), 'B@OTHER.test', 'FIRST@visitor.test'])).status, 201)
    assert.equal((await send([])).status, 429)
  })
})

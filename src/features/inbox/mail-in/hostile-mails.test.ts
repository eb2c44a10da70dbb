// In a process of its own: it measures processor time and the turns of the event loop.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import {
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { longestTurn } from '../../../../tests/support/longest-turn.ts'
import { composeMail, connectMailbox, inboundOf } from '../../../../tests/support/mail-in.ts'
import { processorTime } from '../../../../tests/support/processor-time.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { replyAddress, replyKeysIn } from '../../../mail/reply-address.ts'
import { conversation } from '../conversation/contract.ts'
import { htmlToText } from './html-text.ts'
import { createMailParser } from './mail-parser.server.ts'
import { showInlineAnswers, splitQuotes } from './quotes.ts'

suite('Hostile mails', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const mailbox = await connectMailbox(testApp)
  const ana = await signInToInbox(testApp)

  async function answered(body: string, to = {}) {
    const id = await storeMessage(testApp, to)
    const sent = await ana.reply(id, body)
    passUndoTime(testApp)
    await untilDelivered(testApp, sent.id)
    return { id, mailId: await mailbox.replyMailId(sent.id) }
  }

  test('a broken mail is stored as it came, and the next one is read: case 16 (P7)', async () => {
    const raw = composeMail({ headers: Array(100_000).fill('X-Endless: header header header'), body: 'x' })
    const id = await mailbox.add(raw)
    const { mail, message } = await ana.open(id)
    assert.match(mail?.problem ?? '', /could not read this mail/)
    assert.deepEqual([message.name, message.message, mail?.hasOriginal], ['Mai Nguyen', 'A question', true])
    const reply = await ana.browser.fetch(`/api/messages/${id}/entries/${id}/original`)
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), raw)
    const next = await ana.open(await mailbox.add({ body: 'I come later.' }))
    assert.equal(next.message.message, 'I come later.')
  })

  test('a mail over 30 MB is its headers, with a note that the rest is in the mailbox (case 17)', async () => {
    const raw = composeMail({ body: '' })
    const { mail } = await ana.open(await mailbox.add(raw, { omitted: 40_000_000 }))
    assert.match(mail?.problem ?? '', /larger than 30 MB/)
  })

  test('a mail of 25 MB is read in another thread, and holds up nobody: case 17 (P7)', async () => {
    const raw = composeMail({ body: `${'A long line of a long text. '.repeat(33)}\n`.repeat(27_000) })
    assert.ok(raw.length > 24_000_000)
    await mailbox.add({ body: 'So that the thread has begun.' })
    const parser = testApp.services.mailParser
    const turn = await longestTurn(async () => {
      await parser.parse({ raw, omitted: 0, ownDomains: [] })
    })
    assert.ok(turn < 250, `${turn} ms`)
  })

  test('a mail that takes too long is stored as it came, and the next one is read (case 17)', async () => {
    const parser = createMailParser(1)
    after(() => parser.close())
    const slow = await parser.parse({ raw: composeMail(), omitted: 0, ownDomains: [] })
    assert.match(slow.problem ?? '', /could not read/)
  })

  test('of 10,000 recipients few become participants, and all of it is stored', async () => {
    const cc = Array.from({ length: 10_000 }, (_, at) => `a${at}@family.test`).join(',\r\n ')
    const id = await mailbox.add({ cc })
    const rows = await db.selectFrom('participants').select('address').where('message_id', '=', id).execute()
    assert.equal(rows.length, 100)
    const { mail } = await ana.open(id)
    assert.equal(mail?.recipients.cc.length, 200)
  })

  for (const [name, line] of [
    ['marks', '>'],
    ['attributions', 'On 1 wrote:'],
    ['headers', 'From: a@b.c'],
    ['rules', '________________'],
    ['colons', '1:'],
    ['addresses', 'on 1 <a@b.c>'],
    ['spaces', ' '],
    ['dashes', '-'],
    ['empty lines', ''],
  ] as const)
    test(`quotes are split in linear time, ${name} (P7)`, async () => {
      const text = (lines: number) => `${line}\n`.repeat(lines)
      const long = `${line} `.repeat(200_000)
      splitQuotes(text(1000))
      const took = await processorTime(() => {
        splitQuotes(text(100_000))
        splitQuotes(`x\n${text(100_000)}> y`)
        splitQuotes(long)
        splitQuotes(`x\n${long}\n> y`)
      })
      assert.ok(took < 1500, `${took} ms`)
    })

  test('quotes are split in linear time, attributions in German', async () => {
    const line = `Am 1 ${'schrieb am '.repeat(15)}${'-'.repeat(120)}x\n`
    const took = await processorTime(() => splitQuotes(line.repeat(1000)))
    assert.ok(took < 500, `${took} ms`)
    const split = splitQuotes('Ja.\n\nInfo <info@agency.test> schrieb am 30. Nov. 2026 um 10:00:\nWann?')
    assert.deepEqual(split, {
      written: 'Ja.',
      quoted: 'Info <info@agency.test> schrieb am 30. Nov. 2026 um 10:00:\nWann?',
    })
  })

  test('text in which nothing is visible does not hide the HTML beside it', async () => {
    const id = await mailbox.add({
      headers: ['MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=b'],
      body: [
        ...['--b', 'Content-Type: text/plain; charset=utf-8', '', '\u200b\u2060 \u00a0\u00ad\ufeff', ''],
        ...['--b', 'Content-Type: text/html; charset=utf-8', '', '<p>May I come?</p>', '--b--'],
      ].join('\n'),
    })
    assert.equal((await ana.open(id)).message.message, 'May I come?')
  })

  test('HTML becomes text in linear time', async () => {
    for (const part of ['<blockquote>', '<div><p>', '<a "', '<!--', '&#', '<td>x</td>', '<pre>\n'])
      assert.ok((await processorTime(() => htmlToText(part.repeat(150_000)))) < 3000, part)
  })

  test('answers between the lines that Outlook leaves without marks are visible (case 18)', async () => {
    const sent = 'Dear Mai,\n\nwhich visa does your sister have now?\n\nWhen does it end, and where is she?'
    const { id, mailId } = await answered(sent)
    const quote = (first: string, second: string) =>
      `From: Landfall <info@agency.test>\nSent: Monday, 30 November 2026 10:00\nTo: Mai\nSubject: Re: LF-1\n\nDear Mai,\n\nwhich visa does your sister have now?\n${first}\nWhen does it end,\nand where is she?\n${second}\n-- \nAna`
    await mailbox.add({ inReplyTo: mailId, body: `See below.\n\n${quote('A 600.', '')}` })
    await mailbox.add({ inReplyTo: mailId, body: `No idea.\n\n${quote('', '')}` })
    const [between, plain] = await inboundOf(ana.browser, id)
    assert.match(between?.body ?? '', /^See below\.\n\nFrom: Landfall[\s\S]*\nA 600\.$/)
    assert.match(between?.quoted ?? '', /^When does it end,/)
    assert.equal(plain?.body, 'No idea.')
    const split = { written: 'x', quoted: 'y\n'.repeat(100_000) }
    assert.ok((await processorTime(() => showInlineAnswers(split, ['z'.repeat(20_000)]))) < 2000)
  })

  test('a reply to an enquiry without an address is refused, and an email goes to no other address', async () => {
    const id = await mailbox.add({ from: '' })
    const { message, lastSeq } = await ana.open(id)
    assert.deepEqual([message.name, message.email], ['No name', ''])
    const refused = await ana.browser.send('POST', conversation.reply.path.replace(':id', id), {
      body: 'Hello',
      lastSeq,
    })
    assert.deepEqual([refused.status, (await refused.json()).code], [409, 'no_address'])
    const tricky = await mailbox.add({
      from: '"staff@agency.test" <eve@elsewhere.test>',
      headers: ['Reply-To: boss@agency.test'],
    })
    assert.equal((await ana.open(tricky)).message.email, 'eve@elsewhere.test')
  })

  test('the original of a mail is not given out under another message', async () => {
    const id = await mailbox.add(
      composeMail({ headers: ['Content-Type: application/pkcs7-mime; name=smime.p7m'], body: 'x' }),
    )
    const other = await storeMessage(testApp)
    const statusOf = async (message: string) =>
      (await ana.browser.fetch(`/api/messages/${message}/entries/${id}/original`)).status
    assert.deepEqual([await statusOf(id), await statusOf(other)], [200, 404])
  })

  test('after a restored backup an old reply finds its own conversation: keys are random (case 4)', async () => {
    const { id } = await answered('Dear Mai')
    const to = await mailbox.addressOf(id)
    await db.updateTable('messages').set({ reply_key: null }).where('id', '=', id).execute()
    const next = await answered('Dear Bo', { email: 'bo@visitor.test' })
    assert.notEqual(await mailbox.addressOf(next.id), to)
    assert.notEqual(await mailbox.add({ from: 'bo@visitor.test', to }), next.id)
  })

  test('without plus addresses an answer goes to the mailbox itself', () => {
    const mailboxOf = (plusAddresses: boolean) => ({ address: 'info@agency.test', plusAddresses })
    assert.equal(replyAddress(mailboxOf(false), 'abcdefghijklmnop'), 'info@agency.test')
    const address = replyAddress(mailboxOf(true), 'abcdefghijklmnop')
    assert.deepEqual(replyKeysIn([address, 'info+short@agency.test', 'x']), ['abcdefghijklmnop'])
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { composeMail } from '../../../tests/support/mail-in.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { failsWith, openVisitorPages, tokenIn } from '../../../tests/support/visitor-pages.ts'
import { visitorPage } from './contract.ts'

suite('What is kept of a visitor, and what ends it', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db } = services
  const page = await openVisitorPages(testApp)
  const { ana, mailbox, visitor, store, linkTo, openPage, sendReply, textsTo, isGone, replyAddressOf } = page

  test('what nobody has answered is erased at once, with a certificate, and a link then leads nowhere', async () => {
    const enquiry = await store({ message: 'Unanswered words' })
    const second = await store({ email: enquiry.email })
    await mailbox.add(
      composeMail({
        from: enquiry.email,
        to: await replyAddressOf(enquiry.id),
        body: 'More unanswered words',
      }),
    )
    const { token, access } = await openPage(enquiry)
    const other = await linkTo(second)
    const erasures = await Promise.allSettled(
      [1, 2, 3].map(() => visitor.call(visitorPage.erase, { token, access })),
    )
    const done = erasures.flatMap(it =>
      it.status === 'fulfilled' && it.value.certificate ? [it.value.certificate] : [],
    )
    assert.equal(done.length, 1, 'an access erases once')
    const [certificate = assert.fail()] = done
    assert.match(certificate.reference, /^ER-/)
    // The mail began one of its own.
    assert.deepEqual([certificate.enquiries, certificate.files, certificate.mentions], [3, 0, 0])
    assert.equal(certificate.kept.length, services.config.databaseUrl ? 3 : 2)
    assert.ok(textsTo(enquiry.email).at(-1)?.includes(certificate.reference), 'it comes by email, too')
    for (const gone of [token, other]) await isGone(gone)
    for (const table of [
      'messages',
      'entries',
      'outbox',
      'inbound_mails',
      'logs',
      'visitor_tokens',
    ] as const) {
      const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
      for (const words of [enquiry.email, enquiry.reference, second.reference, 'nanswered words'])
        assert.ok(!rows.includes(words), `${table}: ${words}`)
    }
    const answered = await store()
    await sendReply(answered.id, 'Yes.')
    const opened = await openPage(answered)
    const asked = await visitor.call(visitorPage.erase, { token: opened.token, access: opened.access })
    assert.equal(asked.certificate, undefined, 'an admin decides')
    assert.equal((await ana.open(answered.id)).message.email, answered.email)
  })

  test('who is named in a conversation with somebody else, or in a text of staff, is erased by an admin', async () => {
    const [client, own] = [await store(), await store()]
    await sendReply(client.id, 'To both', { cc: [own.email] })
    const { token, access } = await openPage(own)
    const erase = async () => (await visitor.call(visitorPage.erase, { token, access })).certificate
    assert.equal(await erase(), undefined)
    const reply = (await ana.open(client.id)).entries.find(({ kind }) => kind === 'reply')
    assert.deepEqual(reply?.cc, [own.email], 'nothing of it is changed')
    const named = await store()
    await ana.note(client.id, `Is ${named.email} the same person?`)
    const opened = await openPage(named)
    const asked = { token: opened.token, access: opened.access }
    assert.equal((await visitor.call(visitorPage.erase, asked)).certificate, undefined)
  })

  test('an answer by mail that quotes the link stores none that works, also where the mail is kept as it came', async () => {
    const { id, email } = await store()
    await sendReply(id, 'Yes.')
    const token = tokenIn(textsTo(email).at(-1) ?? '')
    const link = `https://agency.test/status#${token}`
    const to = await replyAddressOf(id)
    await mailbox.add(composeMail({ from: email, to, body: `Thanks\n\n> ${link}\n> more` }))
    const html = `<p>Thanks</p><blockquote><a href="${link.replace('#', '&#35;')}">x</a></blockquote>`
    await mailbox.add(composeMail({ from: email, to, headers: ['Content-Type: text/html'], body: html }))
    for (const table of ['inbound_mails', 'entries', 'messages'] as const)
      assert.ok(!JSON.stringify(await db.selectFrom(table).selectAll().execute()).includes(token), table)
    assert.ok(await visitor.call(visitorPage.read, { token }))
    await mailbox.add(
      composeMail({
        ...{ from: email, to },
        headers: ['Content-Type: multipart/mixed; boundary=b'],
        body: [
          `--b\nContent-Type: text/plain\n\nSee ${link}\n`,
          ...Array.from(
            { length: 30 },
            (_, at) => `--b\nContent-Disposition: attachment; filename=${at}\n\n${at}\n`,
          ),
          '--b--',
        ].join(''),
      }),
    )
    const kept = db.selectFrom('attachments').select('id').where('message_id', '=', id)
    assert.equal((await kept.where('kind', '=', 'original').execute()).length, 1)
    await isGone(token)
  })

  test('merged into spam a link shows nothing, and neither an addition nor a withdrawal wakes it', async () => {
    const [own, kept] = [await store(), await store()]
    const { token, access } = await openPage(own)
    await ana.merge(own.id, kept.id)
    await ana.change(kept.id, { status: 'spam' })
    await isGone(token)
    await assert.rejects(visitor.call(visitorPage.withdraw, { token, access }), failsWith(404))
    await assert.rejects(visitor.call(visitorPage.add, { token, access, message: 'Hello' }), failsWith(404))
    const { message } = await ana.open(kept.id)
    assert.equal(message.status, 'spam')
  })

  test('what was answered in a conversation that it is merged into is not erased by the visitor', async () => {
    const [own, kept] = [await store(), await store()]
    await ana.merge(own.id, kept.id)
    await sendReply(kept.id, 'To both', { cc: [own.email] })
    const { token, access, status } = await openPage(own)
    assert.equal(status.state, 'read', 'merging closes it for staff alone')
    assert.equal((await visitor.call(visitorPage.erase, { token, access })).certificate, undefined)
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { storeMail } from '../../../../tests/support/stored-mail.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { openArchive } from '../../../platform/zip.ts'
import { conversation } from './contract.ts'
import { collectConversation } from './conversation-file.ts'

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>'

suite('A conversation as a file', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const ana = await signInToInbox(testApp)

  async function collect(id: string, signal = new AbortController().signal) {
    const progress: string[] = []
    const { archive, missing } = await collectConversation(id, {
      call: ana.browser.call,
      async fetchFile(address) {
        const reply = await ana.browser.fetch(address)
        return reply.ok ? new Uint8Array(await reply.arrayBuffer()) : null
      },
      timeZone: 'Australia/Sydney',
      onProgress: (done, total) => progress.push(`${done} of ${total}`),
      signal,
    })
    const opened = await openArchive(archive)
    const read = async (name: string) =>
      new TextDecoder().decode((await opened.read(name, 2 ** 20)) ?? undefined)
    return { names: opened.names, page: await read('conversation.html'), read, missing, progress }
  }

  test('it has what was said and the files that came, and no note, draft or event (case 1)', async () => {
    const id = await storeMessage(testApp, {
      message: 'May my sister join me?',
      created_at: '2026-11-01T00:00:00.000Z',
    })
    await storeMail(db, id, {
      body: 'It came yesterday.',
      body_quoted: '> May I ring you?',
      created_at: '2026-11-02T00:00:00.000Z',
      files: [
        { name: 'Hộ chiếu #1.pdf', text: 'The passport' },
        { name: 'Hộ chiếu #1.pdf', text: 'Another one' },
        { name: 'late.pdf', text: null },
      ],
    })
    await ana.browser.call(conversation.addCall, {
      id,
      body: 'Rang her',
      direction: 'out',
      outcome: 'reached',
    })
    await ana.note(id, 'A wombat, for us only')
    await ana.draft(id, 'reply', 'A quokka, not finished')
    await ana.change(id, { status: 'closed' })
    await ana.reply(id, 'Dear Mai, yes.')
    const { names, page, read, missing, progress } = await collect(id)
    assert.deepEqual(names, ['files/001 Hộ chiếu #1.pdf', 'files/002 Hộ chiếu #1.pdf', 'conversation.html'])
    assert.deepEqual(
      [await read(names[0] ?? ''), await read(names[1] ?? '')],
      ['The passport', 'Another one'],
    )
    assert.deepEqual([missing, progress.length], [['late.pdf'], 3])
    const order = ['May my sister', 'It came yesterday', '&#62; May I ring', 'Rang her', 'Dear Mai, yes.']
    const places = order.map(text => page.indexOf(text))
    assert.ok(
      places.every((place, at) => place > (places[at - 1] ?? 0)),
      String(places),
    )
    assert.match(page, /Nov 1, 2026, 11:00 am Sydney time|1 Nov 2026, 11:00 am Sydney time/)
    assert.match(page, /href="files\/001%20H%E1%BB%99%20chi%E1%BA%BFu%20%231\.pdf"/)
    assert.match(page, /late\.pdf, not kept/)
    assert.doesNotMatch(page, /wombat|quokka|closed this|assigned/)
  })

  test('nothing that somebody wrote is markup in it, and it loads nothing', async () => {
    const id = await storeMessage(testApp, { name: HOSTILE, message: HOSTILE })
    await storeMail(db, id, {
      ...{ from_name: HOSTILE, from_address: 'eve@visitor.test', subject: HOSTILE },
      ...{ body: HOSTILE, body_quoted: HOSTILE, files: [{ name: `"onclick="alert(1) '.pdf` }] },
    })
    const { page } = await collect(id)
    assert.doesNotMatch(page, /<script|<img|"onclick/)
    assert.match(page, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/)
    assert.ok(page.split('&#60;script&#62;').length > 5)
  })

  test('a long one is read to its beginning, and one that is given up ends', async () => {
    const id = await storeMessage(testApp, { message: 'The beginning' })
    for (let seq = 1; seq <= 40; seq++)
      await storeMail(db, id, { seq, body: `Mail number ${seq}. ${'word '.repeat(3500)}` })
    const { page } = await collect(id)
    for (const text of ['The beginning', 'Mail number 1.', 'Mail number 40.'])
      assert.ok(page.includes(text), text)
    await assert.rejects(collect(id, AbortSignal.abort()), { name: 'AbortError' })
  })
})

// In a process of its own: it measures turns of the event loop.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { parseCsv } from '../../../../tests/support/csv.ts'
import { leastOf } from '../../../../tests/support/least-of.ts'
import { longestTurn } from '../../../../tests/support/longest-turn.ts'
import { readMessages, storeMessages } from '../../../../tests/support/messages.ts'
import fc from '../../../../tests/support/properties.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { exportMessages, toCsvLine } from './export.server.ts'

/** Milliseconds for which no call may block other requests. */
const MAX_BLOCKED = 50

suite('Export of messages', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const admin = await signInToInbox(testApp, 'admin')
  const ana = await signInToInbox(testApp)

  const fetchExport = async (query = '') => await admin.browser.fetch(`/api/messages/export${query}`)
  async function readExport(query = ''): Promise<Record<string, string>[]> {
    const reply = await fetchExport(query)
    assert.equal(reply.status, 200)
    const bytes = Buffer.from(await reply.arrayBuffer())
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'spreadsheets know UTF-8 by this mark')
    const [head = [], ...rows] = parseCsv(bytes.subarray(3).toString('utf8'))
    return rows.map(row => Object.fromEntries(head.map((name, at) => [name, row[at] ?? '?'])))
  }
  const referencesOf = (rows: Record<string, string>[]) => rows.map(({ Reference }) => Reference)
  const logged = (text: string) => testApp.console.filter(line => line.includes(text))

  test('an export without messages has its heading only', async () => {
    assert.deepEqual(await readExport(), [])
    const reply = await fetchExport()
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(
      reply.headers.get('content-disposition') ?? '',
      /^attachment; filename="messages-\d{4}-\d\d-\d\d\.csv"$/,
    )
    assert.match(await reply.text(), /"Reference","Received","Name",.*"Message","Details"\r\n$/)
    const head = await admin.browser.fetch('/api/messages/export', { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [200, ''])
  })

  test('an export has what the list has, in its order, and is logged with who asked and the number of messages (G21)', async () => {
    const ids = await storeMessages(
      testApp,
      Array.from({ length: 231 }, (_, at) => ({
        form_type: at % 2 ? 'tracking' : 'contact',
        status: at < 230 ? 'open' : 'spam',
      })),
    )
    await ana.change(ids[0] ?? '', { assignee: 'me', tags: ['one', 'two'], status: 'waiting' })
    const rows = await readExport()
    assert.deepEqual(
      referencesOf(rows),
      ids.slice(0, 230).map(id => `LF-${id}`),
    )
    const { Status, Tags, Type } = rows[0] ?? {}
    assert.deepEqual(
      [Status, Tags, Type, rows[0]?.['Assigned to']],
      ['Waiting', 'one, two', 'Contact Form', ana.name],
    )
    const tracking = await readMessages(admin.browser, { formType: 'tracking' })
    assert.deepEqual(
      referencesOf(await readExport('?formType=tracking')),
      tracking.ids.map(id => `LF-${id}`),
    )
    assert.deepEqual(referencesOf(await readExport('?status=spam')), [`LF-${ids[230]}`])
    assert.deepEqual(await readExport('?q=wombat'), [])
    const [line = ''] = logged('Messages exported').filter(
      it => it.includes('"count":230') || it.includes('count=230'),
    )
    assert.ok(line.includes(admin.id), logged('Messages exported').join('\n'))
  })

  test('nothing of an export is calculated by a spreadsheet: no cell begins as a formula (G21)', async () => {
    const formulas = ['=1+1', '+61 400', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', ' \u200b=cmd|x!A0']
    for (const formula of formulas) {
      const [[cell = ''] = []] = parseCsv(toCsvLine([formula]))
      assert.ok(cell.startsWith("'"), JSON.stringify(formula))
      assert.equal(cell.replaceAll("'", '').trim(), formula.trim(), 'and nothing else changes')
    }
    await storeMessage(testApp, {
      name: '=HYPERLINK("http://evil.test","Ana")',
      phone: '+61 400',
      email: 'formula@x.test',
    })
    const [row] = await readExport('?q=formula@x.test')
    assert.deepEqual([row?.Name, row?.Phone], [`'=HYPERLINK("http://evil.test","Ana")`, '(+61) 400'])
  })

  test('a spreadsheet that splits at semicolons, tabs or lines reads no formula inside a message (found A8)', () => {
    const separators = [';', ';"', ';" "', '\t', '\n', '\r\n', '; ', ';\t', ';\u200b', ';;', '\n\n']
    const messages = separators.flatMap(it => ['=1+1', '+1', '-1', '@a', '＝1'].map(end => `x${it}${end}`))
    const line = toCsvLine([...messages, 'A, =1', 'a-b; c=d'])
    const cells = parseCsv(line)[0] ?? []
    for (const cell of cells.slice(0, messages.length))
      for (const part of cell.split(/[;\t\r\n]/))
        assert.doesNotMatch(part, /^[\s\p{C}]*[=+\-@＝]/u, JSON.stringify(cell))
    // As a program reads it that knows quotes and splits at the other separator.
    for (const part of line.replaceAll('"', '').split(/[;\r\n\t]/))
      assert.doesNotMatch(part, /^[\s\p{C}]*[=+\-@＝]/u)
    assert.deepEqual(cells.slice(-2), ['A, =1', 'a-b; c=d'], 'and nothing else changes')
  })

  test('an export is read by people: telephones as they are dialled, times of the office, labels, and what was answered (found I13)', async () => {
    const created_at = '2026-01-15T10:17:30.000Z'
    const state = {
      service: 'skilled',
      created_at,
      verification: 'off',
      details: '{"location":"In Australia"}',
    } as const
    const id = await storeMessage(testApp, { ...state, email: 'labels@x.test', phone: '+61412345678' })
    const { id: replyId } = await ana.reply(id, 'An answer')
    await ana.reply(id, 'Another one')
    const [row = {}] = await readExport('?q=labels@x.test')
    assert.deepEqual(
      [row.Phone, row.Received, row.Service, row.Details, row['Bot check'], row.Replies],
      [
        '(+61) 412 345 678',
        '2026-01-15 21:17 +11:00',
        'Skilled Migration',
        'Where now: In Australia',
        'Not checked: the bot check was off',
        '2',
      ],
    )
    assert.match(row['First answer'] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d \+1[01]:00$/)
    assert.equal((await ana.undo(id, replyId)).status, 200)
    assert.equal((await readExport('?q=labels@x.test'))[0]?.Replies, '1')
    const phones = {
      '0412345678': '0412 345 678',
      '0061 412 345 678': '(+61) 412 345 678',
      '+8613800138000': '(+86) 138 001 380 00',
      '(02) 9876 5432': '(02) 9876 5432',
      '+1 (212) 555-0100': '(+1) (212) 555-0100',
    }
    for (const [phone, expected] of Object.entries(phones)) {
      await db.updateTable('messages').set({ phone }).where('id', '=', id).execute()
      assert.equal((await readExport('?q=labels@x.test'))[0]?.Phone, expected)
    }
  })

  test('an export has spam when somebody asks for it, and otherwise none (found I13)', async () => {
    await storeMessage(testApp, { email: 'spam@x.test', status: 'spam' })
    assert.deepEqual(await readExport('?q=spam@x.test'), [])
    assert.equal((await readExport('?q=spam@x.test&withSpam=true')).length, 1)
  })

  test('a CSV file gives back what was written: quotes, line breaks, commas, any alphabet', () => {
    const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 6 })
    const hostile = fc.array(
      fc.constantFrom('"', '""', ',', '\n', '\r\n', "'", 'مرحبا', '\u0000', '=', ' ', ';'),
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(texts, hostile), { minLength: 1, maxLength: 5 }), lines => {
        const filled = lines.filter(line => line.length > 0)
        const parsed = parseCsv(filled.map(toCsvLine).join(''))
        const written = filled.map(line =>
          line.map((text, at) => {
            const [cell, read = ''] = [shown(text), parsed[filled.indexOf(line)]?.[at]]
            // Beside apostrophes before what could be a formula.
            return read.replaceAll("'", '') === cell.replaceAll("'", '') ? read : cell
          }),
        )
        assert.deepEqual(parsed, written)
        for (const cell of parsed.flat()) assert.doesNotMatch(cell, /^[\s\p{C}]*[=+\-@]/u)
      }),
      { numRuns: 300 },
    )
  })

  test('visitors who write in Arabic, with quotes and on several lines, are exported as they wrote', async () => {
    const message = 'مرحبا "بكم",\nسطر ثان; ثالث'
    await storeMessage(testApp, { message, email: 'arabic@x.test', details: '{"Visa":"500, \\"new\\""}' })
    const [row] = await readExport('?q=arabic@x.test')
    assert.deepEqual([row?.Message, row?.Details], [message, '“Visa”: 500, "new"'])
  })

  test('an export has no note, no draft and no reply: case 1 (G21)', async () => {
    const id = await storeMessage(testApp, { email: 'notes@x.test' })
    await ana.note(id, 'A wombat-note')
    await ana.draft(id, 'note', 'A wombat-draft')
    await ana.draft(id, 'reply', 'A wombat-reply')
    const text = await (await fetchExport()).text()
    assert.ok(text.includes('notes@x.test'))
    assert.doesNotMatch(text, /wombat/)
  })

  test('a client that goes away ends its export, and the log says how far it came', async () => {
    await storeMessages(testApp, Array(600).fill({}))
    const before = logged('Messages exported').length
    const { body } = await fetchExport()
    const reader = body?.getReader()
    for (let page = 0; page < 3; page++) await reader?.read()
    await reader?.cancel()
    await until(async () => logged('Messages exported').length > before)
    assert.match(logged('Messages exported').at(-1) ?? '', /\b[1-4]0\b.*false|false.*\b[1-4]0\b/)
  })

  test('an export blocks nobody for 50 ms and keeps little in memory, whatever visitors wrote (N6) (found A2)', async () => {
    await db.deleteFrom('messages').execute()
    const long = ';=;+'.repeat(2500)
    const details = Array.from({ length: 20 }, (_, at) => [`Question ${at}`, '"'.repeat(400)])
    const message = { message: long, details: JSON.stringify(Object.fromEntries(details)) }
    await storeMessages(testApp, Array(1000).fill(message))
    let bytes = 0
    let largest = 0
    async function readExport() {
      bytes = 0
      const { body } = await fetchExport()
      for await (const chunk of body ?? []) {
        bytes += chunk.length
        largest = Math.max(largest, chunk.length)
      }
    }
    const blocked = await leastOf(5, MAX_BLOCKED, () => longestTurn(readExport))
    assert.ok(bytes > 1000 * 18_000, `${bytes}`)
    assert.ok(largest < 2 * 1024 * 1024, `${largest}`)
    assert.ok(blocked < MAX_BLOCKED, `${blocked} ms`)
  })

  test('who may answer but not manage exports nothing, and a wrong filter is refused (G21)', async () => {
    assert.equal((await ana.browser.fetch('/api/messages/export')).status, 403)
    for (const query of ['?limit=5', '?status=gone', '?cursor=x'])
      assert.equal((await fetchExport(query)).status, 400)
  })

  test('however many exports are read at once, two steps are made at a time, and one of each person', async () => {
    await db.deleteFrom('messages').execute()
    await storeMessages(testApp, Array(60).fill({}))
    let [now, most] = [0, 0]
    async function countSteps() {
      most = Math.max(most, ++now)
      await new Promise(resolve => setTimeout(resolve, 5))
      now--
      return true
    }
    async function read(userId: string) {
      const list = { now: '', timeZone: 'Australia/Sydney', userId }
      for await (const _ of exportMessages(db, list, countSteps, () => {}));
    }
    await Promise.all(['ana', 'ben', 'eve', 'kim'].map(read))
    assert.equal(most, 2)
    most = 0
    await Promise.all(['ana', 'ana', 'ana'].map(read))
    assert.equal(most, 1)
  })

  test('a person downloads five exports at a time, and one more when any of them has ended', async () => {
    await storeMessages(testApp, Array(60).fill({}))
    const reader = async () => (await fetchExport()).body?.getReader()
    const readers = await Promise.all(Array.from({ length: 5 }, reader))
    for (const each of readers) await each?.read()
    const refused = await fetchExport()
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10'])
    await readers[0]?.cancel()
    const sixth = await fetchExport()
    assert.equal(sixth.status, 200)
    await sixth.text()
    for (const each of readers.slice(1)) while (!(await each?.read())?.done);
    for (let count = 0; count < 6; count++) assert.ok((await readExport()).length >= 60)
  })

  test('an export that its reader cancels while a step is made is logged once, and not as a failure', async () => {
    const ends: unknown[] = []
    const step = Promise.withResolvers<boolean>()
    let isAsked = false
    function isAllowed() {
      isAsked = true
      return step.promise
    }
    const list = { now: '', timeZone: 'Australia/Sydney', userId: 'ana' }
    const reader = exportMessages(db, list, isAllowed, end => ends.push(end)).getReader()
    await reader.read()
    const reading = reader.read()
    await until(() => isAsked)
    const cancelled = reader.cancel()
    step.resolve(true)
    await Promise.all([reading, cancelled])
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual(ends, [{ count: 0, isComplete: false }])
  })

  test('an export ends when the person who asked for it may no longer read the inbox', async () => {
    await storeMessages(testApp, Array(300).fill({}))
    const eve = await signInToInbox(testApp, 'admin')
    const reader = (await eve.browser.fetch('/api/messages/export')).body?.getReader()
    // The heading, and some of the first page.
    for (let chunk = 0; chunk < 2; chunk++) await reader?.read()
    await db.deleteFrom('sessions').where('user_id', '=', eve.id).execute()
    await assert.rejects(async () => {
      while (!(await reader?.read())?.done);
    })
  })
})

const shown = (text: string) => text.replace(/[\p{Cc}--[\t\n\r]]/gv, '').replaceAll('\r\n', '\n')

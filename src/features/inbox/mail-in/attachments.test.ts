import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../../tests/support/conversation.ts'
import { composeMail, connectMailbox, inboundOf } from '../../../../tests/support/mail-in.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { days, isoAfter } from '../../../platform/clock.ts'
import { erasePerson } from '../../privacy/erase.server.ts'
import { findHeldData } from '../../privacy/held-data.server.ts'
import { messages } from '../contract.ts'
import { fileWarning } from './mail-files.ts'
import { MAX_FILES } from './parsed-mail.ts'

interface File {
  /** In the text, as the logo of a signature. */
  readonly isInline?: boolean
  readonly name: string
  readonly content: string | Buffer
  readonly type?: string
}

/** A mail with files, each with a name as mail programs write it. */
function mailWith(files: readonly File[], fields: { from?: string; to?: string; words?: string } = {}) {
  const { words = 'See the files.', ...heads } = fields
  const parts = files.flatMap(({ name, content, type = 'application/octet-stream', isInline }) => [
    '--b',
    `Content-Type: ${type}`,
    ...(isInline ? [`Content-ID: <${name}>`] : []),
    `Content-Disposition: ${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
  ])
  return composeMail({
    ...heads,
    headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
    body: ['--b', 'Content-Type: text/plain', '', words, ...parts, '--b--'].join('\n'),
  })
}

suite('Files that come by mail', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db } = services
  const mailbox = await connectMailbox(testApp)
  const ana = await signInToInbox(testApp, 'admin')

  const filesOf = async (id: string) => {
    const { mail } = await ana.open(id)
    return mail?.attachments ?? []
  }
  const download = async (id: string, attachmentId = '') =>
    await ana.browser.fetch(`/api/messages/${id}/attachments/${attachmentId}`)
  const count = async (table: 'blobs' | 'blob_chunks' | 'attachments') =>
    (await db.selectFrom(table).selectAll().execute()).length

  test('a file is downloaded as it was sent, under its name, and no browser shows it (case 24)', async () => {
    // Of several chunks, with the last one not full.
    const content = Buffer.alloc(600_000, 'A passport, page by page. ')
    const name = 'Hộ chiếu “Mai”’s (1).pdf'
    const id = await mailbox.add(mailWith([{ name, content, type: 'text/html' }]))
    const [file] = await filesOf(id)
    assert.deepEqual(
      [file?.name, file?.size, file?.type, file?.state],
      [name, content.length, 'text/html', 'kept'],
    )
    const reply = await download(id, file?.id)
    assert.equal(reply.status, 200)
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), content)
    assert.deepEqual(
      ['content-type', 'content-disposition', 'content-security-policy', 'x-content-type-options'].map(it =>
        reply.headers.get(it),
      ),
      [
        'application/octet-stream',
        `attachment; filename="H_ chi_u _Mai__s (1).pdf"; filename*=UTF-8''H%E1%BB%99%20chi%E1%BA%BFu%20%E2%80%9CMai%E2%80%9D%E2%80%99s%20%281%29.pdf`,
        "sandbox; default-src 'none'",
        'nosniff',
      ],
    )
    const { mail, message } = await ana.open(id)
    assert.equal(mail?.hasOriginal, false, 'nothing of it is missing')
    assert.equal(message.files, 1, 'the list says how many')
  })

  test('a file is read only with its conversation, also once that is merged into another', async () => {
    const id = await mailbox.add(mailWith([{ name: 'a.txt', content: 'Only here' }]))
    const other = await storeMessage(testApp)
    const [file] = await filesOf(id)
    assert.equal((await download(other, file?.id)).status, 404)
    assert.equal((await download(id, other)).status, 404)
    const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
    const refused = await editor.fetch(`/api/messages/${id}/attachments/${file?.id}`)
    assert.equal(refused.status, 403)
    await ana.merge(id, other)
    assert.equal(await (await download(other, file?.id)).text(), 'Only here')
  })

  test('no name is a path, a device, or hides what the file is', async () => {
    const names = [
      '../../etc/passwd',
      'C:\\Windows\\x.dll',
      'CON.txt',
      'payslip\u202efdp.exe',
      '.htaccess',
      'a\r\nb.txt',
      'trailing. . .',
      `${'long '.repeat(200)}name.pdf`,
      '///',
      'aux',
    ]
    const id = await mailbox.add(mailWith(names.map(name => ({ name, content: name }))))
    const shown = (await filesOf(id)).map(({ name }) => name)
    assert.deepEqual(shown.slice(0, 7), [
      '_.._etc_passwd',
      'C__Windows_x.dll',
      '_CON.txt',
      'payslipfdp.exe',
      'htaccess',
      'a b.txt',
      'trailing',
    ])
    assert.match(shown[7] ?? '', /^long long .{60,}…g long long name\.pdf$/)
    assert.deepEqual(shown.slice(8), ['___', '_aux'])
    for (const [at, file] of (await filesOf(id)).entries())
      assert.equal(await (await download(id, file.id)).text(), names[at])
  })

  test('the first twenty files are kept, and the others are in the original', async () => {
    const many = Array.from({ length: 23 }, (_, at) => ({ name: `${at}.txt`, content: `File ${at}` }))
    const id = await mailbox.add(mailWith(many))
    const files = await filesOf(id)
    assert.equal(files.filter(({ state }) => state === 'kept').length, 20)
    assert.deepEqual(
      files.slice(20).map(({ state }) => state),
      ['original', 'original', 'original'],
    )
    assert.equal((await ana.open(id)).mail?.hasOriginal, true)
    assert.equal((await download(id, files[20]?.id)).status, 404)
  })

  test('the same bytes are stored once, and go with the last file that has them', async () => {
    const before = [await count('blobs'), await count('blob_chunks')]
    const logo = { name: 'logo.png', content: Buffer.alloc(300_000, 'logo') }
    const ids = [await mailbox.add(mailWith([logo, logo])), await mailbox.add(mailWith([logo]))]
    assert.deepEqual(
      [await count('blobs'), await count('blob_chunks')],
      [Number(before[0]) + 1, Number(before[1]) + 2],
    )
    await ana.browser.call(messages.delete, { id: ids[0] ?? '' })
    assert.equal(await count('blobs'), Number(before[0]) + 1)
    const [left] = await filesOf(ids[1] ?? '')
    assert.equal((await (await download(ids[1] ?? '', left?.id)).arrayBuffer()).byteLength, 300_000)
    await ana.browser.call(messages.delete, { id: ids[1] ?? '' })
    assert.deepEqual([await count('blobs'), await count('blob_chunks')], before)
  })

  test('who is erased is gone with their files, and the record counts them (P8)', async () => {
    const from = 'erased.files@visitor.test'
    const before = await count('attachments')
    const own = await mailbox.add(
      mailWith([{ name: 'passport.pdf', content: '%PDF- of the passport' }], { from }),
    )
    const held = await findHeldData(services, from)
    assert.deepEqual(
      [held.tables.attachments?.map(row => row.name), held.tables.blob_chunks?.map(row => row.body)],
      [['passport.pdf'], [Buffer.from('%PDF- of the passport').toString('base64')]],
    )
    const others = await storeMessage(testApp)
    await ana.reply(others, 'Dear Mai')
    const to = await mailbox.addressOf(others)
    await mailbox.add(mailWith([{ name: 'mine.txt', content: 'theirs as well' }], { from, to }))
    const visitor = (await ana.open(others)).message.email
    const list = { name: 'list.csv', content: `name,email\nE,${from}\nF,other@visitor.test` }
    const kept = { name: 'kept.csv', content: 'name,email\nF,other@visitor.test' }
    const names = [
      `From ${from} (1).txt`,
      `${from},a@b.test,${from}.pdf`,
      `passport_${from}_2024.jpg`,
      `x${from}.txt`,
    ]
    const named = names.map(name => ({ name, content: name.length.toString() }))
    await mailbox.add(mailWith([list, kept, ...named], { from: visitor, to }))
    // As a whole mail, it has the list once more, in base64.
    const many = Array.from({ length: MAX_FILES }, (_, at) => ({ name: `${at}.txt`, content: `${at}` }))
    await mailbox.add(mailWith([list, ...many], { from: visitor, to }))
    const forwarded = `From: E <${from}>\nSent: Monday\nTo: Ana\nSubject: Papers\n\nAttached.`
    await mailbox.add(
      mailWith([{ name: 'forwarded.pdf', content: '%PDF- forwarded' }], {
        ...{ from: ana.email, to },
        words: `See below.\n\n${forwarded}`,
      }),
    )
    const erased = await erasePerson(services, from, 'ER-FILES-0001')
    assert.deepEqual([erased.messages, erased.attachments], [1, 1])
    assert.equal((await ana.browser.fetch(`/api/messages/${own}`)).status, 404)
    const mails = await inboundOf(ana.browser, others)
    const states = mails.map(({ attachments }) => attachments?.map(({ name, state }) => `${name} ${state}`))
    assert.deepEqual(states.slice(0, 2), [
      [],
      [
        ...[
          'list.csv gone',
          'kept.csv kept',
          'From [erased] (1).txt kept',
          '[erased],a@b.test,[erased].pdf kept',
        ],
        ...['passport_[erased]_2024.jpg kept', `x${from}.txt kept`],
      ],
    ])
    assert.deepEqual([states[2]?.[0], states[2]?.at(-1)], ['list.csv gone', '19.txt gone'])
    assert.deepEqual(
      (await ana.open(others)).notes.map(({ attachments }) => attachments),
      [undefined],
    )
    assert.equal(await count('attachments'), before + 6 + MAX_FILES + 1)
    const chunks = await db.selectFrom('blob_chunks').select('body').execute()
    const text = chunks.map(({ body }) => Buffer.from(body, 'base64').toString()).join('\n')
    assert.doesNotMatch(text, /of the passport|theirs as well|erased\.files|PDF- forwarded/)
    assert.match(text, /F,other@visitor\.test/)
    assert.equal((await erasePerson(services, from, 'ER-FILES-0002')).mentions, 0)
  })

  test('logos in the text take no place of what somebody has attached', async () => {
    const logos = Array.from({ length: MAX_FILES }, (_, at) => ({
      ...{ name: `logo${at}.png`, content: `logo ${at}`, type: 'image/png', isInline: true },
    }))
    const id = await mailbox.add(mailWith([...logos, { name: 'passport.pdf', content: '%PDF-' }]))
    const [first, ...others] = await filesOf(id)
    assert.deepEqual([first?.name, first?.state], ['passport.pdf', 'kept'])
    assert.equal(others.at(-1)?.state, 'original')
  })

  test('of a file that is sent as text the whole mail is kept as well, which has its line breaks', async () => {
    const raw = composeMail({
      headers: ['Content-Type: multipart/mixed; boundary=b'],
      body: '--b\nContent-Type: text/csv; name=a.csv\nContent-Disposition: attachment\n\na,b\n1,2\n--b--',
    })
    const { mail } = await ana.open(await mailbox.add(raw))
    assert.deepEqual([mail?.attachments[0]?.state, mail?.hasOriginal], ['kept', true])
  })

  test('on a day with very much mail only the names of files are kept, and the mail says so', async () => {
    const created_at = isoAfter(services.clock)
    const much = ['one', 'two'].map(sha256 => ({ sha256, size: 2 ** 30, created_at }))
    await db.insertInto('blobs').values(much).execute()
    const id = await mailbox.add(mailWith([{ name: 'late.txt', content: 'Late' }]))
    const { mail } = await ana.open(id)
    assert.deepEqual(
      [mail?.attachments.map(({ name, state }) => [name, state]), mail?.hasOriginal, mail?.problem],
      [
        [['late.txt', 'gone']],
        false,
        'Very much mail has come today, so Landfall kept only what is shown here. The whole mail is in the mailbox.',
      ],
    )
    const receivedAt = isoAfter(services.clock, -days(30))
    const imported = await mailbox.add(mailWith([{ name: 'old.txt', content: 'Imported' }]), {
      ...{ receivedAt, isEarlier: true },
    })
    assert.deepEqual(
      (await filesOf(imported)).map(({ state }) => state),
      ['kept'],
      'what is imported has come before',
    )
    const yesterday = isoAfter(services.clock, -days(1))
    await db
      .updateTable('blobs')
      .set({ created_at: yesterday })
      .where('sha256', 'in', ['one', 'two'])
      .execute()
    const next = await mailbox.add(mailWith([{ name: 'next.txt', content: 'Next day' }]))
    assert.deepEqual(
      (await filesOf(next)).map(({ state }) => state),
      ['kept'],
    )
    await db.deleteFrom('blobs').where('sha256', 'in', ['one', 'two']).execute()
  })
})

suite('What is said of a file before it is opened', () => {
  const zipWith = (name: string) => Buffer.from(`PK\x03\x04${'\0'.repeat(26)}${name}`, 'latin1')
  const old = (text: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')])
  const program = Buffer.alloc(128)
  program.write('MZ')
  program.writeUInt32LE(64, 60)
  program.write('PE', 64)
  const cases: readonly (readonly [string, Buffer | string, ReturnType<typeof fileWarning>])[] = [
    ['passport.pdf', '%PDF-1.7\n1 0 obj << /Type /Catalog >>', null],
    ['passport.pdf', '%PDF-1.7\n<< /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>', 'script'],
    ['passport.pdf', '%PDF-1.7\n<< /S /Launch /F (cmd.exe) >>', 'script'],
    ['passport.pdf', program, 'program'],
    ['list.csv', 'MZ,Name\r\n1,Mai', null],
    ['form.pdf', '%PDF-1.7\n<< /AA << /F << /S /JavaScript /JS (AFDate_FormatEx) >> >> >>', null],
    ['scan.pdf', '\n%PDF-1.4', null],
    ['photo.jpg', Buffer.from('000000186674797068656963', 'hex'), null],
    ['locked.docx', old('EncryptedPackage'), null],
    ['meeting.ics', 'BEGIN:VCALENDAR\r\nX-ALT-DESC;FMTTYPE=text/html:<html><body>', null],
    ['map.kml', '<?xml version="1.0"?><kml>', null],
    ['letter.rtf', '{\\rtf1 {\\object {\\*\\objdata 0105}}}', 'script'],
    ['letter.odt', zipWith('Basic/script-lb.xml'), 'script'],
    ['bill', Buffer.from('4c0000000114020000000000c000000000000046', 'hex'), 'program'],
    ...['one', 'xll', 'library-ms', 'jnlp', 'rdp', 'vhdx', 'MSC'].map(
      ending => [`bill.${ending}`, 'nothing', 'program'] as const,
    ),
    ['passport.pdf.exe', 'nothing', 'program'],
    ['photo.SCR', 'nothing', 'program'],
    ['shortcut.lnk', 'nothing', 'program'],
    ['disk.iso', 'nothing', 'program'],
    ['tool', '\x7fELF', 'program'],
    ['tool', '#!/bin/sh\nrm -rf', 'program'],
    ['photo.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'), null],
    ['photo.jpg', Buffer.from('89504e470d0a1a0a', 'hex'), null],
    ['photo.jpg', 'Dear Mei', 'disguised'],
    ['photo.jpg', '<script>alert(1)</script>', 'page'],
    ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'page'],
    ['letter.txt', 'Dear Mei, <b>thank you</b>', null],
    ['letter.txt', '<!DOCTYPE html><title>Sign in</title>', null],
    ['letter', '<!DOCTYPE html><title>Sign in</title>', 'page'],
    ['invoice.html', 'nothing', 'page'],
    ['letter.docx', zipWith('word/document.xml'), null],
    ['letter.docx', zipWith('word/vbaProject.bin'), 'script'],
    ['letter.docm', zipWith('word/document.xml'), 'script'],
    ['letter.doc', old('Dear Mei'), null],
    ['letter.doc', old('_VBA_PROJECT'), 'script'],
    ['letter.docx', 'Dear Mei', 'disguised'],
    ['holiday.zip', zipWith('a.jpg'), null],
    ['notes', 'Dear Mei', null],
    ['empty.pdf', '', 'disguised'],
  ]
  for (const [name, bytes, warning] of cases)
    test(`${name} that begins with ${JSON.stringify(Buffer.from(bytes).subarray(0, 24).toString('latin1'))}: ${warning ?? 'nothing'}`, () => {
      assert.equal(fileWarning(name, Buffer.from(bytes)), warning)
    })
})

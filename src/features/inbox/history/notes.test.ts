import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { suite, test } from 'node:test'
import {
  type Colleague,
  emailsTo,
  passUndoTime,
  signInToInbox,
  storeMessage,
  untilDelivered,
} from '../../../../tests/support/conversation.ts'
import { parseCsv } from '../../../../tests/support/csv.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { messages } from '../contract.ts'

const NOTES = 'src/features/inbox/history/notes.server.ts'

suite('Source code of notes', () => {
  const files = globSync('src/**/*.{ts,tsx}')
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !/\.test\.tsx?$/.test(file))
  const sources = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))

  const senders = files.filter(
    file =>
      file.startsWith('src/mail/') ||
      /renderEmail\(|outbox\.add\(|mail\.send\(|replyEmail\(|forwardEmail\(/.test(sources.get(file) ?? ''),
  )

  test('nothing that writes or sends an email imports the notes, directly or through others: case 1 (G11)', () => {
    assert.ok(senders.length > 15, senders.join())
    for (const file of [
      'src/features/inbox/replies/reply.server.ts',
      'src/features/inbox/acknowledgements/acknowledge.server.ts',
      'src/features/inbox/messages/forward.server.ts',
      'src/mail/dispatch.ts',
    ])
      assert.ok(senders.includes(file), file)
    for (const sender of senders) assert.ok(!reached(sender).has(NOTES), `${sender} reaches the notes`)
    assert.ok(reached('src/features/inbox/messages/read.server.ts').has(NOTES), 'a path that exists is found')
  })

  test('no other module names the table of notes (case 1)', () => {
    const names = files.filter(file =>
      /['"`]notes(\.\w+)?['"`]|\b(from|into|join) notes\b/.test(sources.get(file) ?? ''),
    )
    assert.deepEqual(names.filter(file => !file.startsWith('src/database/migrations/')).sort(), [
      'src/backup/copied-tables.ts',
      // Says which columns it has.
      'src/database/conversation-tables.ts',
      'src/erasure/mentions.ts',
      NOTES,
      'src/features/inbox/history/thread.tsx',
      // What is stored about a person is printed with them.
      'src/features/privacy/describe-held-data.ts',
      // Only who wrote them.
      'src/features/users/store.server.ts',
    ])
  })

  test('nothing but the search of the inbox reads or writes the words of notes, and no email is written with it (found I2)', () => {
    const search = ['condition', 'index'].map(name => `src/features/inbox/search/${name}.server.ts`)
    const names = files.filter(file => /note_words|noteTexts\(/.test(sources.get(file) ?? ''))
    assert.deepEqual(names.filter(file => !file.startsWith('src/database/migrations/')).sort(), [
      'src/database/conversation-tables.ts',
      NOTES,
      ...search,
      'src/features/inbox/search/texts.server.ts',
    ])
    for (const sender of senders)
      for (const file of search) assert.ok(!reached(sender).has(file), `${sender} reaches ${file}`)
    assert.ok(
      reached('src/features/inbox/messages/read.server.ts').has(search[0] ?? ''),
      'a path that exists is found',
    )
  })

  /** Every file whose code a file loads; types are not loaded. */
  function reached(file: string, found = new Set<string>()): Set<string> {
    if (found.has(file)) return found
    found.add(file)
    const imports = (sources.get(file) ?? '').matchAll(
      /^import (?!type )[^;]*?'(\.[^']+)'|import\('(\.[^']+)'\)/gm,
    )
    for (const [, name = '', lazy = ''] of imports)
      reached(posix.join(posix.dirname(file), name || lazy), found)
    return found
  }
})

suite('Notes', async () => {
  const testApp = await openTestApp()
  const ana = await signInToInbox(testApp)
  const bo = await signInToInbox(testApp, 'admin')

  test('a note is for staff, who find its enquiry by it: it moves no reply, and no list, export, event or log has it (case 1, found I2)', async () => {
    const id = await storeMessage(testApp)
    await ana.draft(id, 'note', 'Half a wombat')
    const note = await ana.note(id, 'A wombat says no')
    const { notes, entries, lastSeq, drafts, message } = await bo.open(id)
    assert.deepEqual(notes, [note])
    assert.deepEqual(note.author, { id: ana.id, name: ana.name })
    assert.deepEqual([entries, lastSeq, drafts, message.isRead], [[], 0, [], true])
    assert.deepEqual((await ana.open(id)).drafts, [], 'the draft has become the note')
    for (const path of ['', '?q=mai', '?order=activity', '/options', '/export?q=mai'])
      assert.doesNotMatch(await (await bo.browser.fetch(`/api/messages${path}`)).text(), /wombat/i, path)
    const exported = await bo.browser.fetch('/api/messages/export?q=wombat')
    assert.deepEqual(parseCsv(await exported.text()).length, 1, 'an export has its heading only')
    const { messages: found } = await bo.browser.call(messages.list, { q: 'wombat' })
    assert.deepEqual(
      found.map(it => [it.id, it.match?.field, it.match?.excerpt, it.match?.marks]),
      [[id, 'note', 'A wombat says no', [{ start: 2, end: 8 }]]],
    )
    assert.doesNotMatch(JSON.stringify({ ...found[0], match: undefined }), /wombat/i)
    assert.doesNotMatch(testApp.console.join('\n'), /wombat/i)
  })

  test('an unfinished note stays a note when a reply is sent, and the other way round (case 3)', async () => {
    const email = 'drafts@visitor.test'
    const id = await storeMessage(testApp, { email })
    await ana.draft(id, 'note', 'Careful: a wombat')
    await ana.draft(id, 'reply', 'Dear Mai')
    const { id: replyId } = await ana.reply(id, 'Dear Mai, yes.')
    const draftsOf = async (colleague: Colleague) =>
      (await colleague.open(id)).drafts.map(({ kind, body, version }) => [kind, body, version])
    assert.deepEqual(await draftsOf(ana), [['note', 'Careful: a wombat', 1]])
    await ana.undo(id, replyId)
    assert.deepEqual(await draftsOf(ana), [
      ['note', 'Careful: a wombat', 1],
      ['reply', 'Dear Mai, yes.', 1],
    ])
    await ana.note(id, 'Careful: a wombat.')
    assert.deepEqual(await draftsOf(ana), [['reply', 'Dear Mai, yes.', 1]])
    assert.deepEqual(await draftsOf(bo), [], 'drafts belong to one person')
    const sent = await ana.reply(id, 'Dear Mai, yes.')
    passUndoTime(testApp)
    await untilDelivered(testApp, sent.id)
    assert.doesNotMatch(emailsTo(testApp, email)[0]?.raw ?? '', /wombat/i)
  })

  test('a change of owner keeps every draft (case 22)', async () => {
    const id = await storeMessage(testApp)
    for (const colleague of [ana, bo])
      for (const kind of ['note', 'reply'] as const)
        await colleague.draft(id, kind, `${kind} of ${colleague.id}`)
    for (const assignee of [ana.id, bo.id, null]) await bo.change(id, { assignee, status: 'waiting' })
    for (const colleague of [ana, bo])
      assert.deepEqual(
        (await colleague.open(id)).drafts.map(({ body }) => body),
        [`note of ${colleague.id}`, `reply of ${colleague.id}`],
      )
  })

  test('of two windows of one person, the second cannot overwrite a draft unseen', async () => {
    const id = await storeMessage(testApp)
    const save = async (body: string, version?: number) =>
      await ana.browser.send('PUT', `/api/messages/${id}/draft`, {
        kind: 'note',
        body,
        ...(version !== undefined && { version }),
      })
    assert.equal((await save('One', 0)).status, 200)
    const stale = await save('Other', 0)
    const { code, draft } = await stale.json()
    assert.deepEqual([stale.status, code, draft.body, draft.version], [409, 'draft_changed', 'One', 1])
    assert.equal((await save('Two', 1)).status, 200)
    assert.equal((await save('Last wins')).status, 200)
    assert.equal((await save('', 3)).status, 200)
    assert.deepEqual((await ana.open(id)).drafts, [])
    assert.equal((await save('x', 3)).status, 409, 'it was deleted')
    for (const body of [undefined, 7, 'x'.repeat(20_001)])
      assert.equal(
        (await ana.browser.send('PUT', `/api/messages/${id}/draft`, { kind: 'note', body })).status,
        400,
      )
  })
})

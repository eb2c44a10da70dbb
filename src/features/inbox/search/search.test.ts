import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readMessages, storeMessages } from '../../../../tests/support/messages.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { messages } from '../contract.ts'
import type { MessageFilter } from '../messages/filter-contract.ts'

suite('Message search', async () => {
  const testApp = await openTestApp()
  const { db } = testApp.services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  const readAll = async (filter: MessageFilter, limit?: number) => await readMessages(admin, filter, limit)
  const find = async (q: string) => (await readAll({ q })).ids
  const deleteMessages = async () => await db.deleteFrom('messages').execute()
  const store = async (...changes: Parameters<typeof storeMessages>[1]) => {
    await deleteMessages()
    // Without figures, of which a search for 100 would find some by chance.
    const withReference = changes.map((change, at) => ({ reference: `LF-ZZZZ-${'Z'.repeat(at)}`, ...change }))
    return await storeMessages(testApp, withReference)
  }

  test('a search finds words of name and text, and any part of email, phone and reference, ignoring case', async () => {
    const [id] = await store(
      {
        name: "Zoë O'Brien-Ξένος",
        email: 'zo_e@sub.visitor.example',
        phone: '+86 138 0013 8000',
        reference: 'LF-7K3M-92QD',
        message: 'A 100% "quoted" question\nabout 移民签证 and back\\slash',
      },
      {},
    )
    const parts = [
      "O'Brien",
      "o'brien-",
      'zo_e@sub',
      'visitor.ex',
      '138 0013',
      '7k3m',
      'LF-7K3M-92QD',
      '100%',
      '"quoted"',
      '移民签证',
      'back\\slash',
      'QUESTION',
      '移民签证 zoë lf-7k3m',
      'question back\\slash "quoted"',
      'zo_e@sub.visitor.example question',
      'question a 100%',
    ]
    for (const part of parts) assert.deepEqual(await find(part), [id], part)
    for (const other of [
      'zoxe@sub',
      'zo_e@sub.visitor.examples',
      '100% kookaburra',
      'question kookaburra 移民签证',
      'question zz',
      'Brien OR kookaburra',
      'Brien NOT kookaburra',
      'rien',
      'uestion',
      'kookaburra',
    ])
      assert.deepEqual(await find(other), [], other)
  })

  test('a search finds messages with all words, in any order and in any field, but no word across two fields', async () => {
    const [id] = await store(
      { name: 'Ana Li', email: 'silva@visitor.test', message: 'My sister is a nurse.' },
      { name: 'Ana', email: 'souza@visitor.test', message: 'My sister is a nurse.' },
    )
    for (const words of [
      'Ana silva',
      'nurse silva sister',
      ' silva  ana ',
      'silva is',
      'li silva',
      'Li SILVA a',
    ])
      assert.deepEqual(await find(words), [id], words)
    for (const words of ['Anasilva', 'Ana Lisilva', 'silva li xu'])
      assert.deepEqual(await find(words), [], words)
    assert.equal((await find('nurse sister')).length, 2)
    const many = Array.from({ length: 45 }, (_, at) => 100 + at).join(' ')
    assert.deepEqual(await find(`silva ${many}`), [], 'the longest search that the API accepts')
  })

  test('a search for an email address ignores case and finds no other address with the same local part', async () => {
    const [plain, other] = await store(
      { email: 'mai@gmail.example', message: 'One.' },
      { email: 'mai@CAFÉ.example', message: 'Two.' },
      { email: 'mai@post.example', message: 'Three.' },
    )
    assert.deepEqual(await find('MAI@Gmail.example'), [plain])
    assert.deepEqual(await find('mai@café.example'), [other])
    assert.deepEqual(await find('mai@gmail.example two'), [])
  })

  test('a search for short words only takes them as one text', async () => {
    const [id] = await store({ name: 'Li Yu' }, { name: 'Li Wu', message: 'To yu' })
    for (const words of ['li yu', 'LI  yu', 'li\u3000yu']) assert.deepEqual(await find(words), [id], words)
  })

  test('a search ignores case and accents, also in short words and addresses', async () => {
    const ids = await store(
      { name: 'LÊ NGUYỄN', message: 'Write to ZOË@gmail.example.' },
      { name: 'LE NGUYEN', message: 'Write to zoe@gmail.example.' },
    )
    for (const words of ['lê nguyễn', 'nguyễn Lê', 'le', 'LÊ', 'zoë@GMAIL.example', 'zoe@gmail.example LÊ'])
      assert.deepEqual(await find(words), ids, words)
  })

  test('a search for one or two characters finds the start of a name or email, a whole word, or Chinese', async () => {
    const [li, wei, byAddress] = await store(
      { name: 'Li Ming', email: 'a@visitor.test' },
      { name: '李伟', email: 'b@visitor.test' },
      { name: 'Ana', email: 'LI.x@visitor.test' },
      { name: 'Ali', email: 'c@visitor.test' },
    )
    assert.deepEqual(await find('li'), [li, byAddress])
    assert.deepEqual(await find('李'), [wei])
    assert.deepEqual(await find('李伟'), [wei])
    assert.deepEqual(await find('%'), [])
    const [, resident] = await store({ message: 'A pretty prospect' }, { message: 'When do I get PR?' })
    assert.deepEqual(await find('pr'), [resident])
  })

  test('a search with several filters finds the messages that match all of them', async () => {
    const hit = {
      name: 'Kookaburra',
      form_type: 'tracking',
      is_read: 1,
      verification: 'unverified:provider_down',
    } as const
    const [id] = await store(
      hit,
      { ...hit, name: 'Magpie' },
      { ...hit, form_type: 'contact' },
      { ...hit, is_read: 0 },
      { ...hit, verification: 'suspect:0.3' },
    )
    const filter = { formType: 'tracking', isRead: 'true', verification: 'unverified' } as const
    assert.deepEqual((await readAll({ ...filter, q: 'kookaburra' })).ids, [id])
    assert.deepEqual((await readAll({ ...filter, q: 'ko' })).ids, [id])
    assert.deepEqual((await readAll({ q: 'kookaburra' })).ids.length, 4)
  })

  test('a message that was just read is found with the filter for read messages', async () => {
    const [id = ''] = await store(
      { name: 'Lorikeet' },
      { name: 'Lorikeet', is_read: 1 },
      { name: 'Lorikeet' },
    )
    assert.equal((await readAll({ q: 'lorikeet', isRead: 'true' })).ids.includes(id), false)
    await admin.call(messages.markRead, { id })
    assert.equal((await readAll({ q: 'lorikeet', isRead: 'true' })).ids[0], id)
    assert.equal((await readAll({ q: 'lorikeet', isRead: 'false' })).ids.length, 1)
  })

  test('messages can be filtered by the result of the bot check (Q4)', async () => {
    const marks = ['verified', 'off', 'unverified:script_failed', 'suspect:0.1'] as const
    const ids = await store(...marks.map(verification => ({ verification })))
    for (const [at, kind] of (['verified', 'off', 'unverified', 'suspect'] as const).entries())
      assert.deepEqual((await readAll({ verification: kind })).ids, [ids[at]])
    const [verified] = ids
    assert.deepEqual((await readAll({ verification: 'verified', isRead: 'false' }, 1)).ids, [verified])
  })

  test('search results are paged without a gap or a repeat, even when one is deleted meanwhile', async () => {
    const ids = await store(
      ...Array.from({ length: 9 }, (_, at) => ({ name: at % 3 === 2 ? 'Magpie' : 'Lorikeet' })),
    )
    const hits = ids.filter((_, at) => at % 3 !== 2)
    for (const limit of [1, 2, 5, 6, 7]) assert.deepEqual((await readAll({ q: 'lorikeet' }, limit)).ids, hits)
    const first = await admin.call(messages.list, { q: 'lorikeet', limit: 1 })
    await admin.call(messages.delete, { id: hits[0] ?? '' })
    const rest = await admin.call(messages.list, { q: 'lorikeet', cursor: first.nextCursor ?? '' })
    assert.deepEqual(
      rest.messages.map(({ id }) => id),
      hits.slice(1),
    )
  })

  test('a malformed search gets 400, and an unusual one finds nothing', async () => {
    const malformed = ['q=', `q=${'x'.repeat(201)}`, 'q=%00abc', 'q=a%0Ab', 'q=abc&q=abc']
    for (const query of [...malformed, 'verification=none', 'verification=unverified:x', 'letter=sent'])
      assert.equal((await admin.fetch(`/api/messages?${query}`)).status, 400, query)
    for (const unusual of ['"', '""', "'", '%%%', '___', '\\', 'NEAR(', 'name:x', '^abc', '???', '\u{1f600}'])
      assert.deepEqual(await find(unusual), [], unusual)
  })

  test('a search finds a new message immediately, and a deleted one no longer', async () => {
    const [id] = await store({ name: 'Lorikeet' })
    assert.deepEqual(await find('lorikeet'), [id])
    await admin.call(messages.delete, { id: id ?? '' })
    assert.deepEqual(await find('lorikeet'), [])
  })
})

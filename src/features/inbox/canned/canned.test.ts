import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox } from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { MAX_TEXT } from '../conversation/contract.ts'
import {
  cannedReplies,
  fillPlaceholders,
  MAX_CANNED_BYTES,
  MAX_CANNED_REPLIES,
  MAX_CANNED_TITLE,
  textFor,
  unknownPlaceholders,
} from './contract.ts'

suite('Canned replies', async () => {
  const testApp = await openTestApp()
  const { db, clock, content, settings } = testApp.services
  const ana = await signInToInbox(testApp)
  const bo = await signInToInbox(testApp, 'admin')
  const list = async () => await ana.browser.call(cannedReplies.list, {})
  const titles = async () => (await list()).cannedReplies.map(({ title }) => title)
  const add = async (title: string, body = 'Dear {name}') =>
    (await bo.browser.call(cannedReplies.add, { title, body })).cannedReply
  const send = async (method: 'PATCH' | 'DELETE' | 'POST', path: string, body?: object) =>
    await bo.browser.send(method, `/api/canned-replies${path}`, body)

  test('who answers reads what an admin wrote, with what the placeholders stand for', async () => {
    const written = await add('Documents', 'Dear {name},\r\nplease send … for {service}. {agent}, {agency}')
    const { cannedReplies: all, agent, agency, signature } = await list()
    assert.deepEqual(all, [written])
    assert.equal(written.body, 'Dear {name},\nplease send … for {service}. {agent}, {agency}')
    assert.equal(agent, content.read().content.agent.name)
    assert.equal(agency, (await settings.publicValues()).site_name)
    assert.match(signature.join(), new RegExp(`^${agency},${agent}, .*MARN \\d{7}$`))
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${written.id}`],
      ['DELETE', `/${written.id}`],
    ] as const)
      assert.equal((await ana.browser.send(method, `/api/canned-replies${path}`, {})).status, 403, method)
    assert.equal((await send('DELETE', `/${written.id}`)).status, 200)
    assert.deepEqual((await list()).cannedReplies, [])
  })

  test('an admin puts the canned replies into an order, and two who do so at once leave no gap', async () => {
    const [a, b, c, d] = [await add('A'), await add('B'), await add('C'), await add('D')]
    await send('PATCH', `/${d.id}`, { position: 0 })
    assert.deepEqual(await titles(), ['D', 'A', 'B', 'C'])
    await send('PATCH', `/${d.id}`, { position: MAX_CANNED_REPLIES - 1, title: 'Z' })
    assert.deepEqual(await titles(), ['A', 'B', 'C', 'Z'])
    await Promise.all([
      send('PATCH', `/${a.id}`, { position: 2 }),
      send('PATCH', `/${c.id}`, { position: 0 }),
      send('DELETE', `/${b.id}`),
    ])
    const rows = await db.selectFrom('canned_replies').select('position').orderBy('position').execute()
    assert.deepEqual(
      rows.map(({ position }) => position),
      [0, 1, 2],
    )
    for (const { id } of [a, c, d]) await send('DELETE', `/${id}`)
  })

  test('each has its text in further languages, at most once in each, and with known placeholders', async () => {
    const variants = [
      { language: 'zh', body: '{name}，请寄文件' },
      { language: 'fa', body: 'سلام {name}' },
    ] as const
    const post = async (all: readonly object[]) =>
      await send('POST', '', { title: 'Papers', body: 'Dear {name}', variants: all })
    const { cannedReply: written } = await (await post(variants)).json()
    assert.deepEqual((await list()).cannedReplies, [written])
    assert.deepEqual(written.variants, variants)
    assert.deepEqual(textFor(written, 'fa'), variants[1])
    for (const language of ['de', 'en', null] as const)
      assert.deepEqual(textFor(written, language), { body: 'Dear {name}', language: null })
    for (const [all, path] of [
      [[variants[0], variants[0]], 'variants.1.language'],
      [[{ language: 'xx', body: 'x' }], 'variants.0.language'],
      [[{ language: 'zh', body: ' ' }], 'variants.0.body'],
      [[{ language: 'zh', body: '{nam}' }], 'variants.0.body'],
    ] as const) {
      const refused = await post(all)
      assert.deepEqual([refused.status, Object.keys((await refused.json()).errors)], [400, [path]])
    }
    const change = async (body: object) =>
      (await (await send('PATCH', `/${written.id}`, body)).json()).cannedReply
    const renamed = await change({ title: 'Documents' })
    assert.deepEqual(renamed.variants, variants, 'what is not sent stays')
    const shorter = await change({ variants: [variants[1]], version: renamed.version })
    assert.deepEqual(shorter.variants, [variants[1]])
    assert.notEqual(shorter.version, renamed.version)
    assert.equal(
      (await send('PATCH', `/${written.id}`, { variants: [], version: renamed.version })).status,
      409,
    )
    await send('DELETE', `/${written.id}`)
  })

  test('of two admins who save one canned reply, the second is refused and reads what the first wrote', async () => {
    const { id, version } = await add('Hours', 'We open at nine.')
    await ana.browser.call(cannedReplies.use, { id })
    await send('PATCH', `/${id}`, { position: 0 })
    const saves = ['We open at eight.', 'We open at ten.'].map(body =>
      send('PATCH', `/${id}`, { body, version }),
    )
    const replies = await Promise.all(saves)
    assert.deepEqual(
      replies.map(({ status }) => status).sort(),
      [200, 409],
      'moving and using change no text',
    )
    const inOrder = replies.toSorted((one, other) => one.status - other.status)
    const [saved, refused] = await Promise.all(inOrder.map(reply => reply.json()))
    assert.deepEqual([refused.code, refused.cannedReply], ['canned_reply_changed', saved.cannedReply])
    const late = { body: 'We open at ten.', version: saved.cannedReply.version }
    assert.equal((await send('PATCH', `/${id}`, late)).status, 200, 'it has been seen')
    assert.equal((await send('PATCH', `/${id}`, { title: 'Last wins' })).status, 200)
    await send('DELETE', `/${id}`)
  })

  test('an insertion is counted, so that the most used replies can come first', async () => {
    const { id } = await add('Used')
    await Promise.all([1, 2, 3].map(() => ana.browser.call(cannedReplies.use, { id })))
    assert.equal((await list()).cannedReplies[0]?.uses, 3)
    await send('DELETE', `/${id}`)
    await ana.browser.call(cannedReplies.use, { id })
  })

  test('a canned reply with an unknown placeholder, without text or with a long title is refused', async () => {
    const refuse = async (change: object, field: string, words: RegExp) => {
      const reply = await send('POST', '', { title: 'T', body: 'B', ...change })
      assert.equal(reply.status, 400)
      assert.match((await reply.json()).errors[field], words)
    }
    await refuse(
      { body: 'Dear {Name}, {surname}' },
      'body',
      /no placeholder \{Name\}, \{surname\}\. Use \{name\},/,
    )
    await refuse({ body: ' ' }, 'body', /Write something/)
    await refuse({ title: 'x'.repeat(MAX_CANNED_TITLE + 1) }, 'title', /at most 60/)
    assert.equal((await send('POST', '', { title: 'x'.repeat(MAX_CANNED_TITLE), body: 'B' })).status, 201)
    const gone = newId(clock())
    assert.equal((await send('PATCH', `/${gone}`, { title: 'T' })).status, 404)
    assert.equal((await send('DELETE', `/${gone}`)).status, 404)
  })

  test('there are two hundred canned replies at most', async () => {
    const updated_at = clock().toISOString()
    await db.deleteFrom('canned_replies').execute()
    const rows = Array.from({ length: MAX_CANNED_REPLIES - 1 }, (_, position) => ({
      ...{ id: newId(clock()), title: 'T', body: 'B', position, updated_at },
    }))
    await db.insertInto('canned_replies').values(rows).execute()
    assert.equal((await send('POST', '', { title: 'T', body: 'B' })).status, 201)
    assert.equal((await send('POST', '', { title: 'T', body: 'B' })).status, 409)
  })

  test('the canned replies have a size together, since everybody reads all of them at once: past it, nothing grows (found A2)', async () => {
    const updated_at = clock().toISOString()
    await db.deleteFrom('canned_replies').execute()
    const body = '漢'.repeat(MAX_TEXT)
    const count = Math.floor(MAX_CANNED_BYTES / Buffer.byteLength(body))
    for (let at = 0; at < count; at++)
      assert.equal((await send('POST', '', { title: 'T', body })).status, 201)
    assert.equal((await send('POST', '', { title: 'T', body: 'x'.repeat(10_000) })).status, 201)
    const rest = 'x'.repeat(MAX_CANNED_BYTES - count * Buffer.byteLength(body) - 10_000)
    assert.equal((await send('POST', '', { title: 'T', body: `${rest}x` })).status, 409)
    const { id } = await add('Short', 'x')
    assert.equal((await send('PATCH', `/${id}`, { body: `${rest}x` })).status, 409)
    assert.equal((await send('PATCH', `/${id}`, { body: rest })).status, 200)
    const full = await send('POST', '', { title: 'T', body: 'x' })
    assert.match((await full.json()).message, /at most 256 KiB/)
    const rows = { id: newId(clock()), title: 'Older', body, position: count + 2, updated_at }
    await db.insertInto('canned_replies').values(rows).execute()
    assert.equal((await send('PATCH', `/${rows.id}`, { body: body.slice(1) })).status, 200, 'becomes shorter')
    await db.deleteFrom('canned_replies').execute()
  })

  const values = { name: 'Nadia $& {agent}', reference: 'LF-1', agent: 'Mei', agency: 'Landfall' }

  test('placeholders are filled once, so that a name that looks like one stays a name', () => {
    assert.equal(
      fillPlaceholders('{name} {reference} {agent} {agency} {service} { name } {}', {
        ...values,
        service: 'Family',
      }),
      'Nadia $& {agent} LF-1 Mei Landfall Family { name } {}',
    )
  })

  test('an enquiry without a service leaves a sentence that makes sense', () => {
    assert.equal(
      fillPlaceholders('Thank you, about {service}.', { ...values, service: null }),
      'Thank you, about your enquiry.',
    )
  })

  test('what stands in braces and is no placeholder is named as it was written', () => {
    assert.deepEqual(unknownPlaceholders('{name} {Name} { name } {} {x} {x} { {service} }'), [
      '{Name}',
      '{ name }',
      '{}',
      '{x}',
    ])
  })
})

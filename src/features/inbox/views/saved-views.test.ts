import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox } from '../../../../tests/support/conversation.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { newId } from '../../../database/id.ts'
import { erasePerson } from '../../privacy/erase.server.ts'
import { findHeldData } from '../../privacy/held-data.server.ts'
import { users } from '../../users/contract.ts'
import { MAX_SAVED_VIEWS, MAX_VIEW_NAME, savedViews } from './contract.ts'

const PATH = '/api/messages/views'
const ANA = 'ana@visitor.test'

suite('Saved views', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db } = services
  const ada = await signInToInbox(testApp, 'admin')
  const bo = await signInToInbox(testApp)
  const list = async ({ browser } = bo) => (await browser.call(savedViews.list, {})).views
  const names = async (of = bo) => (await list(of)).map(({ name }) => name)
  const add = async (name: string, filter: object = { q: 'refusal' }, { browser } = bo) =>
    (await browser.call(savedViews.add, { name, filter })).view
  const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, of = bo) =>
    await of.browser.send(method, `${PATH}${path}`, body)
  const clear = async () => await db.deleteFrom('saved_views').execute()

  test('a view keeps all that the address of the list has, and comes by its name', async () => {
    const filter = {
      ...{ q: '"refusal notice" 010', formType: 'email', isRead: 'false', verification: 'suspect' },
      ...{ letter: 'failed', status: 'waiting', assignee: 'me', tag: 'visa 500', overdue: 'true' },
      ...{ snoozed: 'true', received: '2026-11-16T13:00:00.000Z/..', firstReplyWeek: '2026-11-16' },
      ...{ following: 'true', scheduled: 'true' },
      ...{ answeredBy: bo.id, answeredSince: '2026-11-16T13:00:00.000Z', order: 'activity' },
    }
    const partner = await add('Partner, no reply', filter)
    assert.deepEqual(partner, { id: partner.id, name: 'Partner, no reply', filter })
    const [ten, two] = [await add('group 10'), await add('Group 2')]
    assert.deepEqual(await list(), [two, ten, partner])
    await clear()
  })

  test('nobody else reads, renames or deletes a view, whatever they may do', async () => {
    const { id } = await add('Mine alone')
    assert.deepEqual(await list(ada), [])
    assert.equal((await send('PATCH', `/${id}`, { name: 'Taken' }, ada)).status, 404)
    assert.equal((await send('DELETE', `/${id}`, undefined, ada)).status, 404)
    assert.deepEqual(await names(), ['Mine alone'])
    // Another person may have the name.
    await add('Mine alone', { status: 'closed' }, ada)
    assert.deepEqual(await names(ada), ['Mine alone'])
    await clear()
  })

  test('a name has 1 to 60 characters that can be seen, on one line, and one person has it once in any case', async () => {
    const refused = ['', '   ', '\u200b\u2060', 'a\nb', 'x'.repeat(MAX_VIEW_NAME + 1)]
    const filter = { status: 'closed' }
    for (const name of refused) {
      const reply = await send('POST', '', { name, filter })
      assert.deepEqual([reply.status, Object.keys((await reply.json()).errors)], [400, ['name']], name)
    }
    const longest = await add(`  ${'x'.repeat(MAX_VIEW_NAME)}  `)
    assert.equal(longest.name, 'x'.repeat(MAX_VIEW_NAME))
    const view = await add('Été  2026')
    for (const name of ['éTÉ 2026', 'E\u0301te\u0301 2026', '\uff25\u0301t\u00e9 2026']) {
      const reply = await send('POST', '', { name, filter })
      const { errors } = await reply.json()
      assert.deepEqual(
        [reply.status, errors],
        [400, { name: 'You have a view with this name already' }],
        name,
      )
      assert.equal((await send('PATCH', `/${longest.id}`, { name })).status, 400)
    }
    // Its own name is free for it.
    const renamed = await bo.browser.call(savedViews.rename, { viewId: view.id, name: 'été 2026' })
    assert.deepEqual(renamed.view, { ...view, name: 'été 2026' })
    assert.deepEqual(await names(), ['été 2026', longest.name])
    await clear()
  })

  test('a filter that no list has is refused, and so is none', async () => {
    const refused = [
      {},
      { order: 'activity' },
      { status: 'lost' },
      { q: '' },
      { colour: 'red' },
      { cursor: ANA },
    ]
    for (const filter of refused)
      assert.equal((await send('POST', '', { name: 'A', filter })).status, 400, JSON.stringify(filter))
    assert.deepEqual(await list(), [])
  })

  test('saved again as it is, a view stays one, also when both requests come at once', async () => {
    const both = await Promise.all([add('Twice'), add('Twice')])
    assert.equal(both[0].id, both[1].id)
    assert.deepEqual(await names(), ['Twice'])
    const others = await Promise.all(
      ['closed', 'waiting'].map(status => send('POST', '', { name: 'One', filter: { status } })),
    )
    assert.deepEqual(others.map(({ status }) => status).sort(), [201, 400])
    await clear()
  })

  test(`a person has at most ${MAX_SAVED_VIEWS} views, also when the last two are saved at once`, async () => {
    for (let at = 1; at < MAX_SAVED_VIEWS; at++) await add(`View ${at}`)
    const last = await Promise.all(
      ['One', 'Other'].map(name => send('POST', '', { name, filter: { status: 'open' } })),
    )
    assert.deepEqual(last.map(({ status }) => status).sort(), [201, 409])
    const views = await list()
    assert.equal(views.length, MAX_SAVED_VIEWS)
    await add('Of another', { status: 'closed' }, ada)
    const [first] = views
    assert.ok(first)
    // What was deleted can be undone: it is saved again.
    assert.equal((await send('DELETE', `/${first.id}`)).status, 200)
    assert.equal((await send('DELETE', `/${first.id}`)).status, 404)
    await add(first.name, first.filter)
    assert.deepEqual(
      (await list()).map(({ name, filter }) => ({ name, filter })),
      views.map(({ name, filter }) => ({ name, filter })),
    )
    await clear()
  })

  test('a view that is gone cannot be renamed', async () => {
    assert.equal((await send('PATCH', `/${newId(services.clock())}`, { name: 'A' })).status, 404)
  })

  test('the views of a user are deleted with them', async () => {
    const cy = await signInToInbox(testApp)
    await add('Of Cy', { assignee: 'me' }, cy)
    await add('Of Bo', { assignee: cy.id })
    await ada.browser.call(users.delete, { id: cy.id })
    const left = await db.selectFrom('saved_views').select('name').execute()
    assert.deepEqual(
      left.map(({ name }) => name),
      ['Of Bo'],
    )
    await clear()
  })

  test('a view whose name or words name a person is held about them, and goes when they are erased', async () => {
    await add(`Ask ${ANA}`, { status: 'closed' })
    await add('By words', { q: `"${ANA.toUpperCase()}"` })
    await add('Another', { q: `x${ANA}` })
    const { mentions } = await findHeldData(services, ANA)
    assert.deepEqual(
      mentions.map(({ table, text }) => [table, text]),
      [
        ['saved_views', `Ask ${ANA}`],
        ['saved_views', JSON.stringify({ q: `"${ANA.toUpperCase()}"` })],
      ],
    )
    assert.equal((await erasePerson(services, ANA, 'ER-TEST-0001')).mentions, 2)
    assert.deepEqual(await names(), ['Another'])
  })
})

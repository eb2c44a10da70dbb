// In a process of its own: it measures how long a call holds up everybody else.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { publishPage } from '../../../../tests/support/content.ts'
import { leastOf } from '../../../../tests/support/least-of.ts'
import { longestTurn } from '../../../../tests/support/longest-turn.ts'
import { openPublishing } from '../../../../tests/support/publishing.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { isoAfter, minutes, seconds } from '../../../platform/clock.ts'
import { MAX_NAMED, REDIRECTS_AT_ONCE, redirects } from './contract.ts'

/** Milliseconds. */
const MAX_TURN = 50

suite('Many old addresses', async () => {
  const { testApp, editor } = await openPublishing()
  const { db, clock } = testApp.services
  const page = await publishPage(editor)

  test('a file of old addresses holds up nobody, however many there are', async () => {
    const common = { language: 'en', document_id: page.id, is_kept: 1, created_at: isoAfter(clock) }
    for (let at = 0; at < MAX_NAMED - 500; at += 500)
      await db
        .insertInto('content_redirects')
        .values(Array.from({ length: 500 }, (_, n) => ({ ...common, from_path: `/bulk/${at + n}` })))
        .execute()
    const turn = await leastOf(5, MAX_TURN, async call => {
      const named = Array.from({ length: REDIRECTS_AT_ONCE }, (_, at) => ({
        from: `/t/${call}/${at}`,
        to: '/contact',
      }))
      return await longestTurn(async () => {
        await editor.call(redirects.add, { redirects: named, isTrial: true })
      })
    })
    assert.ok(turn < MAX_TURN, `${turn} ms`)
  })

  test('a site has only so many, also where one call would add more', async () => {
    const named = Array.from({ length: REDIRECTS_AT_ONCE }, (_, at) => ({ from: `/u/${at}`, to: '/contact' }))
    const outcomes = []
    for (let call = 0; call < 3; call++)
      outcomes.push(
        ...(
          await editor.call(redirects.add, {
            redirects: named.map(({ from, to }) => ({ from: `${from}/${call}`, to })),
          })
        ).outcomes,
      )
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'added').length, 500)
    assert.match(outcomes.at(-1)?.message ?? '', /the most that a site can have/)
  })
})

suite('Old addresses on nodes whose clocks differ', async () => {
  const { testApp, editor } = await openPublishing()
  const { services } = testApp
  const other = await openSite(testApp)

  test('each change is noticed by the other node, also behind the newest, and one that takes back another', async () => {
    const leadsTo = async (from: string) => {
      await other.services.content.refresh()
      return other.services.content.read().redirects.get(from)
    }
    const add = async (from: string, to: string) =>
      await editor.call(redirects.add, { redirects: [{ from, to }] })
    await add('/newest', '/contact')
    // The newest was named by a node whose clock is ahead.
    await services.db
      .updateTable('content_redirects')
      .set({ created_at: isoAfter(services.clock, minutes(5) + seconds(1)) })
      .execute()
    await add('/behind', '/contact')
    assert.equal(await leadsTo('/behind'), '/contact')
    await add('/behind', '/about-us')
    assert.equal(await leadsTo('/behind'), '/about-us')
    await editor.call(redirects.remove, { from: '/behind' })
    await add('/after', '/contact')
    assert.deepEqual([await leadsTo('/behind'), await leadsTo('/after')], [undefined, '/contact'])
  })
})

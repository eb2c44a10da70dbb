import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { signInToInbox, storeMessage } from '../../../tests/support/conversation.ts'
import fc from '../../../tests/support/properties.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { newId } from '../../database/id.ts'
import { messages } from '../inbox/contract.ts'
import { conversation, merge } from '../inbox/conversation/contract.ts'
import { addToEnquiry, withdrawEnquiry } from '../inbox/mail-in/from-page.server.ts'
import { findMessage } from '../inbox/messages/store.server.ts'
import { erasePerson } from '../privacy/erase.server.ts'
import { readSaid } from './visible.server.ts'

const RUNS = 25
/** The first two are of one person. */
const ENQUIRIES = 3

const kinds = [
  ...(['note', 'call', 'reply', 'copy', 'unsent', 'forward', 'add', 'withdraw', 'merge', 'part'] as const),
  'erase',
] as const

type Step = readonly [what: (typeof kinds)[number], at: number, other: number]

const steps = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(ENQUIRIES - 1), fc.nat(ENQUIRIES - 1)), {
  minLength: 3,
  maxLength: 12,
})

suite('What a visitor sees of a conversation', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock } = services
  const ana = await signInToInbox(testApp, 'admin')
  const bo = await signInToInbox(testApp)
  const forwarded = new Set<string>()

  test('whatever happened, only what went to its address or came from it: no note, no call, nothing of other people', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async history => await check(history)),
      { numRuns: RUNS },
    )
  })

  async function check(history: readonly Step[]) {
    const person = `${newId(clock())}@visitor.test`
    const emails = [person, person, `${newId(clock())}@visitor.test`]
    const ids: string[] = []
    /** The last one can be erased, and what the others see stays theirs. */
    const last = ENQUIRIES - 1
    let isErased = false
    /** By what was written, whose it may be. */
    const seenBy = new Map<string, readonly string[]>()
    for (const [at, email] of emails.entries()) {
      const message = `Enquiry ${at} of ${email}`
      seenBy.set(message, [email])
      ids.push(await storeMessage(testApp, { email, message }))
    }
    for (const [count, step] of history.entries()) await run(step, `Text ${count} of ${person}`)
    for (const [at, id] of ids.entries()) {
      if (isErased && at === last) continue
      const message = await findMessage(db, id)
      assert.ok(message)
      const said = await readSaid(db, message)
      for (const { body, by, name } of said) {
        assert.ok(
          seenBy.get(body)?.includes(emails[at] ?? ''),
          `${at}: ${body} after ${JSON.stringify(history)}`,
        )
        assert.equal(name, by === 'agency' ? ana.name : null)
      }
      assert.ok(said.some(({ body }) => body === `Enquiry ${at} of ${emails[at]}`))
      const others = said.filter(({ body }) => body.startsWith('Enquiry') && !body.includes(` ${at} `))
      if (!history.some(([what]) => what === 'merge')) assert.deepEqual(others, [])
    }

    async function run([what, at, other]: Step, text: string) {
      if (isErased && [at, other].includes(last)) return
      if (what === 'erase') {
        if (at === last) await erasePerson(services, emails[last] ?? '', 'ER-TEST-0001', { isServing: true })
        isErased ||= at === last
        return
      }
      const kept = await keptOf(ids[at] ?? '')
      const id = kept.id
      if (what === 'note') await bo.note(id, text)
      if (what === 'call') await ana.browser.call(conversation.addCall, { id, body: text })
      // Once in a minute.
      if (what === 'forward' && !forwarded.has(id))
        await ana.browser.call(messages.forward, { id, to: bo.id, comment: text })
      if (what === 'forward') forwarded.add(id)
      if (what === 'reply' || what === 'copy' || what === 'unsent') {
        const cc = what === 'copy' ? [emails[other] ?? ''] : []
        const reply = await ana.reply(id, text, { cc })
        if (what !== 'unsent') {
          seenBy.set(text, [kept.email, ...cc])
          await db.updateTable('outbox').set({ state: 'sent' }).where('id', '=', reply.id).execute()
        }
      }
      const own = await findMessage(db, ids[at] ?? '')
      if (what === 'add' && own) {
        seenBy.set(text, [own.email])
        await addToEnquiry(services, own, { text, files: [] }, null)
      }
      if (what === 'withdraw' && own) await withdrawEnquiry(services, own)
      const into = await keptOf(ids[other] ?? '')
      if (what === 'merge' && own?.merged_into === null && into.id !== own.id && !(await hasMerged(own.id)))
        await ana.merge(own.id, into.id)
      if (what === 'part' && own?.merged_into) await ana.browser.call(merge.undo, { id: own.id })
    }
  }

  async function keptOf(id: string) {
    const own = await findMessage(db, id)
    const kept = own?.merged_into ? await findMessage(db, own.merged_into) : own
    assert.ok(kept)
    return kept
  }

  async function hasMerged(id: string) {
    const merged = db.selectFrom('messages').select('id').where('merged_into', '=', id)
    return (await merged.executeTakeFirst()) !== undefined
  }
})

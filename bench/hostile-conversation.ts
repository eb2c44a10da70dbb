import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createSession } from '../src/auth/session.ts'
import { openDatabase } from '../src/database/open.ts'
import { MAX_TEXT } from '../src/features/inbox/conversation/contract.ts'
import { MAX_SAID } from '../src/features/inbox/history/entries.server.ts'
import { MAX_NOTES_BYTES } from '../src/features/inbox/history/notes.server.ts'
import { minutes, systemClock } from '../src/platform/clock.ts'
import { storeEntries, storeNotes } from '../tests/support/long-conversations.ts'
import { newMessages } from '../tests/support/messages.ts'
import { createStaff } from '../tests/support/staff.ts'
import type { Case, Target } from './hostile-target.ts'
import { MAX_WAIT, watchOthers } from './hostile-waits.ts'

const READERS = 6
const ROUNDS = 5
/** Megabytes for all readers. */
const MAX_MEMORY = 64
/** Messages that are merged into the largest, each with as many notes. */
const MERGED = 3
/** Of the longest text in the alphabet that takes most bytes. */
const TEXT = '漢'.repeat(MAX_TEXT)
const TEXTS = Math.floor(MAX_SAID / Buffer.byteLength(TEXT))
const NOTES = Math.floor(MAX_NOTES_BYTES / Buffer.byteLength(TEXT))

/** Six people open the largest conversation that can be made, beside the same with a short one. */
export const largestConversation: Case = {
  name: 'A2: six people open the largest conversation',

  async measure(target) {
    await fill(target)
    const cookies = await signInReaders(target)
    const { messages } = await (
      await fetch(`${target.url}/api/messages`, { headers: { cookie: target.cookie } })
    ).json()
    const idOf = (name: string) => messages.find((message: { name: string }) => message.name === name)?.id
    const openBy = async (name: string) => {
      for (let round = 0; round < ROUNDS; round++)
        await Promise.all(
          cookies.map(async cookie => await read({ url: target.url, cookie }, `/api/messages/${idOf(name)}`)),
        )
    }
    // Code is compiled when it runs for the first time.
    await openBy('short')
    const short = await watchOthers(target, async () => await openBy('short'))
    const largest = await watchOthers(target, async () => await openBy('largest'))
    const beside = (value: number) => `(with a short conversation ${value.toFixed(0)})`
    return [
      { name: `MB more for ${READERS} readers`, value: largest.memory, most: MAX_MEMORY },
      { name: `ms that others wait ${beside(short.wait)}`, value: largest.wait, most: MAX_WAIT },
      { name: `ms held ${beside(short.held)}`, value: largest.held, most: MAX_WAIT },
    ]
  },
}

async function fill({ place }: Target) {
  const db = await openDatabase(place)
  const rows = newMessages(
    new Date(),
    ['short', 'largest', ...Array.from({ length: MERGED }, () => 'merged')].map(name => ({
      ...{ name, email: 'mai@visitor.test', message: '漢'.repeat(10_000), is_read: 1 as const },
    })),
  )
  const [short, largest, ...others] = rows
  await db.insertInto('messages').values(rows).execute()
  for (const { id } of others)
    await db
      .updateTable('messages')
      .set({ merged_into: largest?.id ?? '' })
      .where('id', '=', id)
      .execute()
  const { id: authorId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const of = (messageId = '', count = 3, body = 'Yes.') => ({
    ...{ messageId, authorId, count, body, from: new Date(Date.now() - minutes(60)) },
  })
  await storeEntries(db, of(short?.id))
  await storeEntries(db, of(largest?.id, TEXTS, TEXT))
  for (const { id } of rows.slice(1)) await storeNotes(db, of(id, NOTES, TEXT))
  await db.destroy()
}

/** Each is a person of their own: of one, few calls run at the same time. */
async function signInReaders({ place }: Target): Promise<string[]> {
  const db = await openDatabase(place)
  const cookies: string[] = []
  while (cookies.length < READERS) {
    const { id } = await createStaff({ services: { db, clock: systemClock } }, 'admin')
    cookies.push(`session=${await createSession(db, systemClock, id, 'bench')}`)
  }
  await db.destroy()
  return cookies
}

const agent = new Agent({ keepAlive: true })

/** Throws the body away as it comes: to keep it would hold up those who wait, who are in the same process. */
async function read({ url, cookie }: Pick<Target, 'url' | 'cookie'>, path: string) {
  const [response] = await once(request(`${url}${path}`, { agent, headers: { cookie } }).end(), 'response')
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
  await once(response.resume(), 'end')
}

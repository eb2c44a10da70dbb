import { FAULT_TIMEOUT, pause } from './fault.ts'
import { openDatabaseBeside, type Where } from './inspect-database.ts'

/** What a visitor was told, kept to be held against what is stored. */
export interface LoadRecorder {
  /** Reference of each enquiry that was answered with success, by the key it was sent with. */
  readonly acknowledged: Map<string, string>
  /** Keys of those that were sent and got no answer. */
  readonly unanswered: Map<string, string>
  readonly statuses: Map<number, number>
  /** Sends one; a key that is given is sent again. @returns the status, or 0 when nothing was heard. */
  send(url: string, key?: string): Promise<number>
}

export function openLoadRecorder(): LoadRecorder {
  let sent = 0
  const recorder: LoadRecorder = {
    acknowledged: new Map(),
    unanswered: new Map(),
    statuses: new Map(),
    async send(url, key = `enquiry-${process.pid}-${++sent}-${Date.now()}`) {
      const status = await post(url, key).catch(() => 0)
      recorder.statuses.set(status, (recorder.statuses.get(status) ?? 0) + 1)
      if (status === 0) recorder.unanswered.set(key, key)
      else recorder.unanswered.delete(key)
      return status
    },
  }
  let addresses = 0

  async function post(url: string, key: string): Promise<number> {
    const number = ++addresses
    const response = await fetch(`${url}/api/contact`, {
      method: 'POST',
      signal: AbortSignal.timeout(FAULT_TIMEOUT / 2),
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
        // Limits per address stay on, so each enquiry comes from an address of its own.
        'X-Forwarded-For': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      },
      body: JSON.stringify({
        name: 'Ana Reyes',
        email: 'ana@example.test',
        phone: '+61 400 000 000',
        message: `Enquiry under the key ${key}`,
      }),
    })
    const body = await response.json()
    if (response.status === 201) recorder.acknowledged.set(key, body.reference)
    return response.status
  }
  return recorder
}

/** Clients that send one enquiry after the other, and again what was not answered, until the load is over. */
export function startLoad(recorder: LoadRecorder, url: () => string, clients: number) {
  const load = { isOver: false }
  const keepSending = async () => {
    while (!load.isOver) {
      const [again] = recorder.unanswered.keys()
      if (again !== undefined) recorder.unanswered.delete(again)
      const status = await recorder.send(url(), again)
      if (status !== 201) await pause(5)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, keepSending))
  return {
    async end() {
      load.isOver = true
      await all
    },
  }
}

/** Holds the ledger against the database: each acknowledged enquiry with its notice, its own or a gathered one, and none twice. */
export async function compareWithDatabase(recorder: Pick<LoadRecorder, 'acknowledged'>, where: Where) {
  const db = await openDatabaseBeside(where)
  try {
    const rows = await db
      .selectFrom('messages')
      .where(eb =>
        eb.or([
          eb('id', 'in', eb.selectFrom('outbox').select('message_id')),
          eb('id', 'in', eb.selectFrom('digest_items').select('message_id')),
        ]),
      )
      .select(['reference', 'message'])
      .execute()
    const references = new Set(rows.map(({ reference }) => reference))
    const lost = [...recorder.acknowledged.values()].filter(reference => !references.has(reference)).length
    const duplicated = rows.length - new Set(rows.map(({ message }) => message)).size
    return { stored: rows.length, lost, duplicated }
  } finally {
    await db.destroy()
  }
}

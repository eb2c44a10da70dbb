import { FAULT_TIMEOUT, pause } from './fault.ts'
import { type DatabaseLocation, openUnmigratedDatabase } from './inspect-database.ts'

/** Records the responses that visitors got, to compare them with the database. */
export interface LoadRecorder {
  /** The reference of each enquiry that was accepted, by the idempotency key it was sent with. */
  readonly acknowledged: Map<string, string>
  /** Keys of the enquiries that got no response. */
  readonly unanswered: Map<string, string>
  readonly statuses: Map<number, number>
  /** Sends an enquiry; with a known `key`, sends it again. @returns the status, or 0 when there was no response. */
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

/** Starts clients that send one enquiry after another, and repeat those without a response, until `end` is called. */
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

/** Compares the record with the database: each acknowledged enquiry must be there with its notice or digest item, none twice. */
export async function compareWithDatabase(
  recorder: Pick<LoadRecorder, 'acknowledged'>,
  where: DatabaseLocation,
) {
  const db = await openUnmigratedDatabase(where)
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

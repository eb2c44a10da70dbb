import type { Clock } from '../clock.ts'
import { newId } from '../database/id.ts'
import type { Letter } from './letter.ts'
import type { Transport } from './transport.ts'

export interface Mail {
  readonly transport: Transport['kind']
  /**
   * Hands one letter to the transport and waits for its answer, at most `patience` milliseconds.
   * @param id names the letter in its Message-ID; the same for every try of one letter.
   * @throws {MailRefused} with the provider's own words, or when nothing was heard in time.
   */
  send(letter: Letter, patience: number, id?: string): Promise<void>
  close(): void
}

export class MailRefused extends Error {}

export function createMail(transport: Transport, from: string, clock: Clock): Mail {
  const host = from.slice(from.lastIndexOf('@') + 1)
  return {
    transport: transport.kind,
    async send(letter, patience, id = newId(clock())) {
      const carried = transport.carry({ ...letter, from, messageId: `<${id}@${host}>` })
      await Promise.race([carried, refuseAfter(patience, carried)]).catch((error: unknown) => {
        throw new MailRefused(error instanceof Error ? error.message : String(error), { cause: error })
      })
    },
    close: () => transport.close(),
  }
}

/** Rejects after `milliseconds`, unless `work` has ended by then. */
async function refuseAfter(milliseconds: number, work: Promise<void>): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The mail provider did not answer in time')), milliseconds)
  const stop = () => clearTimeout(timer)
  work.then(stop, stop)
  return promise
}

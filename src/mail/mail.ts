import type { Clock } from '../clock.ts'
import { newId } from '../database/id.ts'
import type { Letter } from './letter.ts'
import type { Transport } from './transport.ts'

export interface Mail {
  readonly transport: Transport['kind']
  /**
   * Hands one letter to the transport and waits for its answer, at most `patience` milliseconds; then the letter is
   * given up and does not go.
   * @param id names the letter in its Message-ID; the same for every try of one letter.
   * @throws {MailRefused} with the provider's own words, or when nothing was heard in time.
   */
  send(letter: Letter, patience: number, id?: string): Promise<void>
}

export class MailRefused extends Error {}

export function createMail(transport: Transport, from: string, clock: Clock): Mail {
  const host = from.slice(from.lastIndexOf('@') + 1)
  return {
    transport: transport.kind,
    async send(letter, patience, id = newId(clock())) {
      const signal = AbortSignal.timeout(patience)
      try {
        await transport.carry({ ...letter, from, messageId: `<${id}@${host}>` }, signal)
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error)
        throw new MailRefused(signal.aborted ? 'The mail provider did not answer in time' : words, {
          cause: error,
        })
      }
    },
  }
}

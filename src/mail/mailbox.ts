import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Clock } from '../clock.ts'
import { type Transport, toMimeOptions } from './transport.ts'

/**
 * Keeps letters as `.eml` files, for an installation without a mail provider, and prints each subject, so that a
 * newcomer can sign in with nothing configured. That line also holds a sign-in code; nowhere else is one printed.
 */
export function mailboxTransport(folder: string, clock: Clock, print: (line: string) => void): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    kind: 'mailbox',
    async carry(letter) {
      const { message } = await composer.sendMail(toMimeOptions(letter))
      // The whole id: its beginning is the time, which several letters share.
      const id = letter.messageId.slice(1, letter.messageId.indexOf('@'))
      const name = `${clock().toISOString().replaceAll(':', '-')}-${id}.eml`
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, name), message)
      print(`Letter to ${letter.to}: ${letter.subject}${letter.code ? ` — code ${letter.code}` : ''}`)
    },
  }
}

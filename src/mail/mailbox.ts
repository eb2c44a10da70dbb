import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { escapeControls } from '../terminal.ts'
import { composeMime } from './mime.ts'
import type { Transport } from './transport.ts'

/**
 * Stores emails as `.eml` files, for an installation without a mail provider, and prints each subject, so that a
 * newcomer can sign in with nothing configured. That line also holds a sign-in code; nowhere else is one printed.
 */
export function mailboxTransport(folder: string, clock: Clock, print: (line: string) => void): Transport {
  return {
    kind: 'mailbox',
    async deliver(email) {
      // The whole id: its beginning is the time, which several emails share.
      const id = email.messageId.slice(1, email.messageId.indexOf('@'))
      const name = `${clock().toISOString().replaceAll(':', '-')}-${id}.eml`
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, name), await composeMime(email, 'unix'))
      const code = email.code ? ` — code ${email.code}` : ''
      print(escapeControls(`Email to ${email.to}: ${email.subject}${code}`))
    },
  }
}

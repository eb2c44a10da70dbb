import type { FetchedMail } from '../../../mail/mail-source.ts'
import type { Services } from '../../../services.ts'

interface Options {
  /** From before the mailbox was connected: it is closed and read, without clock, notice and event. */
  readonly isEarlier: boolean
  /** Of the mailbox. */
  readonly address: string
}

/** `known`: it is stored already. `own`: Landfall has sent it. `forgotten`: it was deleted or erased. */
export interface Receipt {
  readonly kind: 'added' | 'known' | 'own' | 'forgotten'
  /** Where it was added. */
  readonly messageId?: string
}

/**
 * Adds a mail to the conversation that it belongs to, or begins one, once for each mail. Never throws for what a mail has in it: one
 * that cannot be read is stored as it came. Throws when the database fails, and then nothing is stored.
 */
export async function receiveMail(
  _services: Services,
  _mail: FetchedMail,
  _options: Options,
): Promise<Receipt> {
  return { kind: 'known' }
}

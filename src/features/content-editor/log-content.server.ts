import type { Transaction } from '../../database/transaction.ts'
import type { AuditLog } from '../../log/logger.ts'

/** What happened to which version of a document. */
interface ContentChange {
  readonly document: string
  readonly path: string
  /** Its number; null when no version is concerned. */
  readonly version: number | null
}

/** Logs a change of content with the change itself. The log of the call adds who made it. */
export async function logContent(
  transaction: Transaction,
  { log }: { readonly log: AuditLog },
  message: `Content ${string}`,
  { document, path, version }: ContentChange,
  more: { readonly kind?: string; readonly liveFrom?: string; readonly askedBy?: string } = {},
): Promise<void> {
  await log.within(transaction, 'info', 'API', message, { document, path, version, ...more })
}

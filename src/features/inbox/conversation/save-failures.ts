import * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { Draft } from '../conversation-contract.ts'

const Changed = z.object({ draft: z.nullable(Draft) })

/** The stored draft when the save was refused because of it; undefined for other errors. */
export function otherDraft(error: unknown): Draft | null | undefined {
  if (!(error instanceof ApiError) || error.code !== 'draft_changed') return undefined
  return Changed.safeParse(error.body).data?.draft
}

/** Whether the same request would be refused again. */
export function isRefused({ status, isOffline }: ApiError): boolean {
  return !isOffline && status >= 400 && status < 500 && status !== 429 && status !== 401
}

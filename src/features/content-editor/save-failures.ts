import * as z from 'zod/mini'
import { ApiError } from '../../http/api-client.ts'
import { Draft } from './contract.ts'

const WithDraft = z.object({ draft: Draft })

/** The stored draft, when a call was refused because somebody else has changed it. */
export function draftOf(error: unknown): Draft | null {
  if (!(error instanceof ApiError) || error.code !== 'draft_changed') return null
  return WithDraft.safeParse(error.body).data?.draft ?? null
}

/** Whether the same request would be refused again. Too many requests, and what fails in the server, may pass later. */
export function isRefused({ status, isOffline }: ApiError): boolean {
  return !isOffline && status >= 400 && status < 500 && status !== 429
}

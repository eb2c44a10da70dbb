import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../../../portal/me-query.ts'
import { inputText, keepInput, restoreInput } from '../../../ui/input-backup.ts'
import { callDirections, callOutcomes } from '../conversation-contract.ts'
import { forgetKey } from './sending-key.ts'

/** What the form has about a phone call. */
export interface CallInput {
  readonly body: string
  readonly direction: (typeof callDirections)[number]
  readonly outcome: (typeof callOutcomes)[number]
  /** As typed. */
  readonly minutes: string
}

const BLANK: CallInput = { body: '', direction: 'out', outcome: 'reached', minutes: '' }

const keyOf = (id: string) => `call ${id}`

/** What was typed about a phone call and is kept in this tab. */
export function keptCall(id: string): CallInput | undefined {
  const kept = restoreInput(keyOf(id))
  const body = inputText(kept, 'body')
  if (body === undefined) return undefined
  return {
    body,
    direction: callDirections.find(it => it === kept.direction) ?? BLANK.direction,
    outcome: callOutcomes.find(it => it === kept.outcome) ?? BLANK.outcome,
    minutes: inputText(kept, 'minutes') ?? '',
  }
}

/** The same, or an empty form. */
export const startCall = (id: string) => keptCall(id) ?? BLANK

/** Keeps what somebody has typed. */
export function keepCall(client: QueryClient, id: string, input: CallInput) {
  forgetKey({ id, kind: 'call' })
  const isBlank = JSON.stringify(input) === JSON.stringify(BLANK)
  keepInput(client.getQueryData(meQuery.queryKey)?.id ?? '', keyOf(id), isBlank ? null : { ...input })
}

/** @returns whether nothing else was typed since `sent`, so that it is forgotten */
export function forgetSentCall(id: string, sent: CallInput): boolean {
  const kept = keptCall(id)
  const isSame = !kept || JSON.stringify(kept) === JSON.stringify(sent)
  if (isSame) keepInput('', keyOf(id), null)
  return isSame
}

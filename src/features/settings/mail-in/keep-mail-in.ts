import type { QueryClient } from '@tanstack/react-query'
import { callQuery } from '../../../ui/use-call.ts'
import { type MailInState, mailInSettings } from './contract.ts'

/** Shows at once what a call has changed. */
export function keepMailIn(state: MailInState, _sent: unknown, client: QueryClient): undefined {
  client.setQueryData(callQuery(mailInSettings.read, {}).queryKey, state)
}

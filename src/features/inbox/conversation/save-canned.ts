import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { call } from '../../../ui/client.ts'
import { showFailure } from '../../../ui/toast.ts'
import { useWrite } from '../../../ui/use-write.ts'
import {
  type CannedReply,
  type CannedReplyChange,
  CannedReply as CannedReplySchema,
  cannedReplies,
  type NewCannedReply,
} from '../canned-contract.ts'
import { cannedQuery } from './canned-queries.ts'

interface SaveOptions {
  /** The one to change; without it, one is added. */
  readonly id: string | undefined
  onSaved(): void
  /** Somebody else has changed it. */
  onChanged(theirs: CannedReply): void
}

export function useSaveCanned({ id, onSaved, onChanged }: SaveOptions) {
  const client = useQueryClient()
  return useWrite<unknown, NewCannedReply & Pick<CannedReplyChange, 'version'>>({
    mutationFn: ({ version, ...text }) =>
      id === undefined ? call(cannedReplies.add, text) : call(cannedReplies.change, { id, version, ...text }),
    onSuccess: onSaved,
    onError(error) {
      const theirs = theirsOf(error)
      if (theirs) onChanged(theirs)
      else showFailure('Canned Reply Not Saved', error, 'The server failed.')
    },
    onSettled: () => client.invalidateQueries({ queryKey: cannedQuery.queryKey }),
  })
}

const Changed = z.object({ cannedReply: CannedReplySchema })

function theirsOf(error: Error): CannedReply | undefined {
  if (!(error instanceof ApiError) || error.code !== 'canned_reply_changed') return undefined
  return Changed.safeParse(error.body).data?.cannedReply
}

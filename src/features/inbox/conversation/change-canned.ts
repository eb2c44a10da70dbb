import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../ui/client.ts'
import { showFailure } from '../../../ui/toast.ts'
import { useWrite } from '../../../ui/use-write.ts'
import { type CannedReplyChange, cannedReplies } from '../canned-contract.ts'
import { cannedQuery } from './canned-queries.ts'

export function useMoveCanned() {
  const client = useQueryClient()
  return useWrite<unknown, Required<Pick<CannedReplyChange, 'id' | 'position'>>>({
    mutationFn: move => call(cannedReplies.change, move),
    onError: error => showFailure('Canned Reply Not Moved', error, 'The server failed.'),
    onSettled: () => client.invalidateQueries({ queryKey: cannedQuery.queryKey }),
  })
}

export function useDeleteCanned(onSettled: () => void) {
  const client = useQueryClient()
  return useWrite<unknown, string>({
    mutationFn: id => call(cannedReplies.delete, { id }),
    onError: error => showFailure('Canned Reply Not Deleted', error, 'The server failed.'),
    onSettled() {
      onSettled()
      return client.invalidateQueries({ queryKey: cannedQuery.queryKey })
    },
  })
}

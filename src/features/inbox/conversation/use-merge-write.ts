import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../ui/client.ts'
import { showFailure, showToast } from '../../../ui/toast.ts'
import { useWrite } from '../../../ui/use-write.ts'
import { merge } from '../merge-contract.ts'

/** Lists and both messages change. */
export function useMergeWrite<Input>(
  send: (input: Input) => Promise<unknown>,
  onDone: (input: Input) => void,
  failed: string,
) {
  const client = useQueryClient()
  return useWrite({
    mutationFn: send,
    onSuccess: (_reply, input) => onDone(input),
    onError: error => showFailure(failed, error, 'Please try again.'),
    onSettled: () =>
      Promise.all(['messages', 'dashboard'].map(key => client.invalidateQueries({ queryKey: [key] }))),
  })
}

/** Takes the id of what is merged into another. */
export const useUndoMerge = () =>
  useMergeWrite(
    (id: string) => call(merge.undo, { id }),
    () => showToast({ title: 'Merge undone' }),
    'The merge could not be undone',
  )

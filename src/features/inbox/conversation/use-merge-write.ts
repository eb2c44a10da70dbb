import { useQueryClient } from '@tanstack/react-query'
import { showFailure, showToast } from '../../../ui/toast.ts'
import { useWrite } from '../../../ui/use-write.ts'

/** Lists and both messages change. */
export function useMergeWrite<Input>(send: (input: Input) => Promise<unknown>, done: string, failed: string) {
  const client = useQueryClient()
  return useWrite({
    mutationFn: send,
    onSuccess: () => showToast({ title: done }),
    onError: error => showFailure(failed, error, 'Please try again.'),
    onSettled: () =>
      Promise.all(['messages', 'dashboard'].map(key => client.invalidateQueries({ queryKey: [key] }))),
  })
}

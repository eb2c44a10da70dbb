import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { showFailure } from '../../ui/toast/toast.ts'
import { messages } from '../inbox/contract.ts'
import { settings } from '../settings/contract.ts'
import { dashboard, figures, isOptional, type OptionalStep, type OverdueMessage } from './contract.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: () => call(dashboard.read, {}),
})

/** Fetched again when somebody comes back to the window: what was overdue may be answered. */
export const figuresQuery = queryOptions({
  queryKey: ['dashboard', 'figures'],
  queryFn: () => call(figures.read, {}),
  refetchOnWindowFocus: true,
})

/** Assigns a message to the reader. */
export function useTakeMessage() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: ({ id, version }: Pick<OverdueMessage, 'id' | 'version'>) =>
      call(messages.change, { id, version, assignee: 'me' }),
    onError: error => showFailure('Error', error, 'Failed to assign'),
    onSettled: () => client.invalidateQueries({ queryKey: figuresQuery.queryKey }),
  })
}

/** Says that the agency can do without a first step, or needs it after all. */
export function useSkipStep() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: async ({ step, isNeeded }: { step: OptionalStep; isNeeded: boolean }) => {
      // What was loaded with the screen may be out of date.
      const { firstSteps } = await call(dashboard.read, {})
      const skipped = firstSteps?.steps.filter(each => !each.isNeeded).map(each => each.step) ?? []
      const others = skipped.filter(each => isOptional(each) && each !== step)
      const value = [...others, ...(isNeeded ? [] : [step])].join(',')
      await call(settings.change, { key: 'first_steps_not_needed', value })
    },
    onError: error => showFailure('Error', error, 'Failed to save'),
    onSettled: () => client.invalidateQueries({ queryKey: ['dashboard'] }),
  })
}

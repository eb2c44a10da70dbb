import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../ui/client.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { showToast } from '../../ui/toast/toast.ts'
import { pictures } from './contract.ts'

export const PICTURES_KEY = ['content', 'pictures'] as const

/** The pictures in pages, newest first. */
export const picturesQuery = infiniteQueryOptions({
  queryKey: PICTURES_KEY,
  queryFn: ({ pageParam }) => call(pictures.list, { after: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.nextCursor ?? undefined,
})

export function useDeletePicture() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: (id: string) => call(pictures.delete, { id }),
    onSuccess: () => showToast({ title: 'Picture Deleted', description: 'Its space is free again.' }),
    onSettled: () => client.invalidateQueries({ queryKey: PICTURES_KEY }),
  })
}

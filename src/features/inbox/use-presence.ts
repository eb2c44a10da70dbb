import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { seconds } from '../../clock.ts'
import { call } from '../../ui/client.ts'
import type { Person } from './conversation-contract.ts'
import { presence } from './presence-contract.ts'

/** How often a browser says that its user is still looking; not while its tab is in the background. */
const BEAT = seconds(15)

/** Says that the user is looking at a message while this is rendered. @returns who else is, as a hint */
export function usePresence(messageId: string): readonly Person[] {
  const { data, isError } = useQuery({
    queryKey: ['presence', messageId],
    queryFn: () => call(presence.look, { id: messageId }),
    refetchInterval: BEAT,
    gcTime: 0,
  })
  useEffect(() => {
    const leave = () => void call(presence.leave, { id: messageId }).catch(() => {})
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [messageId])
  return isError ? [] : (data?.others ?? [])
}

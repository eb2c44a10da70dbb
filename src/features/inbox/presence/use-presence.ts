import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { seconds } from '../../../platform/clock.ts'
import { call } from '../../../ui/client.ts'
import { type Other, presence } from './contract.ts'

/** How often a browser says that its user is still looking; not while its tab is in the background. */
const HEARTBEAT_INTERVAL = seconds(15)
/** While somebody else writes: they may have left without a word. */
const SOON = seconds(5)
/** After the last key somebody still counts as writing: they look for a word. */
const PAUSE = seconds(8)

let stopWriting: (() => void) | undefined

/** Says at once that the user no longer writes: what was written is sent. */
export const endWriting = () => stopWriting?.()

/**
 * Says that the user is looking at a message while this is rendered, and when they begin or stop to write about it.
 * @returns who else is, as a hint
 */
export function usePresence(messageId: string): readonly Other[] {
  const isWriting = useRef(false)
  const { data, isError, refetch } = useQuery({
    queryKey: ['presence', messageId],
    queryFn: () => call(presence.look, { id: messageId, isWriting: isWriting.current }),
    refetchInterval: ({ state }) =>
      state.data?.others.some(other => other.isWriting) ? SOON : HEARTBEAT_INTERVAL,
    gcTime: 0,
  })
  useEffect(() => {
    let pause: ReturnType<typeof setTimeout> | undefined
    const say = (now: boolean) => {
      if (isWriting.current === now) return
      isWriting.current = now
      void refetch()
    }
    const handle = ({ target }: Event) => {
      if (!(target instanceof HTMLTextAreaElement) || !target.closest('.inbox-pane-footer')) return
      clearTimeout(pause)
      pause = setTimeout(() => say(false), PAUSE)
      say(target.value !== '')
    }
    stopWriting = () => {
      clearTimeout(pause)
      say(false)
    }
    document.addEventListener('input', handle)
    return () => {
      document.removeEventListener('input', handle)
      clearTimeout(pause)
      isWriting.current = false
      stopWriting = undefined
    }
  }, [refetch])
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

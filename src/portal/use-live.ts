import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Keeps what is shown of messages up to date. Its code is loaded once the first screen is. */
export function useLive(isWanted: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!isWanted) return
    const stop = new AbortController()
    import('./live.ts').then(({ followMessages }) => followMessages(client, stop.signal)).catch(() => {})
    return () => stop.abort()
  }, [client, isWanted])
}

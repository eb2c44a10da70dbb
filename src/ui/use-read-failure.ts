import { useEffect } from 'react'
import { ApiError } from '../http/api-client.ts'
import { showToast } from './toast.ts'

/** Shows a toast when a query fails, with the server's message or the fallback. The screen shows the reason. */
export function useReadFailure(error: Error | null, fallback: string) {
  useEffect(() => {
    const { said = '', status = 0 } = error instanceof ApiError ? error : {}
    // A signed-out user is being redirected to the sign-in.
    if (!error || status === 401) return
    showToast({ title: 'Error', description: said || fallback, kind: 'error' })
  }, [error, fallback])
}

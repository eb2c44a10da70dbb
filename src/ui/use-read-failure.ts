import { useEffect } from 'react'
import { ApiError } from '../http/api-client.ts'
import { showToast } from './toast.ts'

/** Says by a toast that something could not be read: in our server's words, else in ours. Why stands on the screen. */
export function useReadFailure(error: Error | null, fallback: string) {
  useEffect(() => {
    const { said = '', status = 0 } = error instanceof ApiError ? error : {}
    // Whoever is signed out is on the way to the sign-in.
    if (!error || status === 401) return
    showToast({ title: 'Error', description: said || fallback, kind: 'error' })
  }, [error, fallback])
}

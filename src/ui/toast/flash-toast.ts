import type { Toast } from './toast.ts'

const KEY = 'landfall-toast'

/** Stores a toast for the next document: site, sign-in and portal are three documents with full page loads between. */
export function flashToast(toast: Toast) {
  sessionStorage.setItem(KEY, JSON.stringify(toast))
}

/** Shows the toast that the previous document stored, if any. */
export async function showFlashedToast() {
  const waiting = sessionStorage.getItem(KEY)
  if (!waiting) return
  sessionStorage.removeItem(KEY)
  const { showToast } = await import('./toast.ts')
  showToast(JSON.parse(waiting))
}

import type { Toast } from './toast.ts'

const KEY = 'landfall-toast'

/** Keeps a toast for the next document: site, sign-in and portal are three, and going between them is a full load. */
export function flashToast(toast: Toast) {
  sessionStorage.setItem(KEY, JSON.stringify(toast))
}

/** Shows the toast that the document before left, if it did. */
export async function showFlashedToast() {
  const waiting = sessionStorage.getItem(KEY)
  if (!waiting) return
  sessionStorage.removeItem(KEY)
  const { showToast } = await import('./toast.ts')
  showToast(JSON.parse(waiting))
}

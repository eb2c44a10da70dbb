import { closeMenusFromOutside } from '../ui/header/menu.ts'
import { markScrolling } from '../ui/list/scroll.ts'
import { showFlashedToast } from '../ui/toast/flash-toast.ts'
import { toastHost } from '../ui/toast/toast.ts'

/** Prepares a document of the portal or the sign-in: toasts and scroll markers. */
export function startDocument(): void {
  markScrolling()
  closeMenusFromOutside()
  showFlashedToast()
  // Elements at the foot of the window move up by the height of a toast.
  const toast = toastHost()
  document.body.append(toast)
  new ResizeObserver(() => {
    document.documentElement.style.setProperty('--toast-height', `${toast.offsetHeight}px`)
  }).observe(toast)
}

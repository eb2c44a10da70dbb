/** A short notice about a success or an error: a line at the foot of the window, which ends above it and is covered nowhere. */
export interface Toast {
  readonly title: string
  readonly description?: string | undefined
  readonly kind?: 'success' | 'error'
  /** In the language of a public page. */
  readonly closeLabel?: string
  /** A button that does something about it. Then the toast stays until there is another one. */
  readonly action?: HTMLButtonElement
}

/** Milliseconds that a toast stays, unless someone points at it. */
const DISPLAY_TIME = 5000

let timer: ReturnType<typeof setTimeout> | undefined
/** The action of the toast that is shown. */
let offer: HTMLButtonElement | undefined
/** What had the focus before the toast's button took it. */
let focusedBefore: EventTarget | null = null

/** Shows a toast in place of the one before: there is one at most. */
export function showToast({ title, description, kind = 'success', closeLabel = 'Close', action }: Toast) {
  const host = toastHost()
  const heading = element('strong', title)
  const text = description && element('p', description)
  const close = element('button', closeLabel)
  close.className = 'button toast-close'
  close.addEventListener('click', hideToast)
  host.dataset.kind = kind
  // An error interrupts what a screen reader is saying, anything else waits for a pause.
  host.role = kind === 'error' ? 'alert' : 'status'
  // Hidden and shown again, so that it is above a dialog that was opened since. Filled after it is shown, because a
  // screen reader only announces changes in a region that already exists.
  host.replaceChildren()
  host.hidePopover()
  topmost(document.querySelectorAll('dialog:modal')).append(host)
  host.showPopover()
  host.replaceChildren(heading, text ?? '', action ?? '', close)
  offer = action
  stay()
}

/** The element of toasts. The portal makes it before the first one. */
export function toastHost(): HTMLElement {
  const known = document.getElementById('toast')
  if (known) return known
  const host = document.createElement('div')
  host.id = 'toast'
  host.className = 'toast'
  host.popover = 'manual'
  // A pointer that rests where the toast appears points at nothing.
  host.addEventListener('pointermove', () => clearTimeout(timer))
  host.addEventListener('pointerleave', stay)
  host.addEventListener('focusin', ({ relatedTarget }) => {
    clearTimeout(timer)
    focusedBefore = relatedTarget
  })
  host.addEventListener('focusout', stay)
  return host
}

/** The topmost dialog: anything outside it can be neither clicked nor read out. */
function topmost(dialogs: Iterable<Element>): Element {
  return [...dialogs].at(-1) ?? document.body
}

/** Moves the toast out of a dialog that is about to close. */
export function moveToastFrom(dialog: Element) {
  const host = document.getElementById('toast')
  if (!host || !dialog.contains(host)) return
  const isOpen = host.matches(':popover-open')
  const others = [...document.querySelectorAll('dialog:modal')].filter(other => other !== dialog)
  topmost(others).append(host)
  if (isOpen) host.showPopover()
}

function stay() {
  clearTimeout(timer)
  if (!offer) timer = setTimeout(hideToast, DISPLAY_TIME)
}

/** Hides the toast before its time. */
export function hideToast() {
  clearTimeout(timer)
  const host = document.getElementById('toast')
  if (!host?.matches(':popover-open')) return
  const hasFocus = host.contains(document.activeElement)
  host.hidePopover()
  if (hasFocus && focusedBefore instanceof HTMLElement) focusedBefore.focus()
}

function element<Name extends 'strong' | 'p' | 'button'>(name: Name, text: string) {
  const created = document.createElement(name)
  created.textContent = text
  return created
}

/** Shows an error toast with the server's message, or the fallback. */
export function showFailure(title: string, error: unknown, fallback: string): void {
  const description = (error instanceof Error && error.message) || fallback
  showToast({ title, description, kind: 'error' })
}

/** Milliseconds of calm after the page has loaded, in which the browser paints what it has got. */
const CALM = 500

/** What tells that a part of the page is about to be used. */
const TOUCHES = ['pointerover', 'pointerdown', 'focusin', 'keydown'] as const

/**
 * Brings a part of the page to life once the page is at rest, or as soon as somebody touches it. A button that is
 * pressed meanwhile is pressed again afterwards, so that no press is lost; should `hydrate` fail, the button does what
 * it does without a script.
 */
export function hydrateOnIdle(host: Element, hydrate: () => Promise<void>): void {
  let awakening: Promise<void> | null = null

  function wake(): Promise<void> {
    awakening ??= hydrate()
      .catch(() => {})
      .finally(() => host.removeEventListener('click', hold, { capture: true }))
    return awakening
  }

  function hold(event: Event) {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    event.preventDefault()
    event.stopPropagation()
    void wake().then(() => button.click())
  }

  for (const touch of TOUCHES) host.addEventListener(touch, wake, { once: true, passive: true })
  host.addEventListener('click', hold, { capture: true })
  whenAtRest(wake)
}

function whenAtRest(work: () => void) {
  const begin = () => setTimeout(() => whenIdle(work), CALM)
  if (document.readyState === 'complete') begin()
  else addEventListener('load', begin, { once: true })
}

function whenIdle(work: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 2000 })
  else work()
}

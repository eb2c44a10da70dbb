/** Milliseconds after the page has loaded, in which the browser paints it. */
const PAINT_DELAY = 500

/** Events that show that a part of the page is about to be used. */
const INTERACTIONS = ['pointerover', 'pointerdown', 'focusin', 'keydown'] as const

/**
 * Hydrates a part of the page once the page is idle, or as soon as somebody uses it. A button that is clicked before
 * that is clicked again afterwards, so that no click is lost; if `hydrate` fails, the button works as without a script.
 */
export function hydrateOnIdle(host: Element, hydrate: () => Promise<void>): void {
  let hydration: Promise<void> | null = null

  function start(): Promise<void> {
    hydration ??= hydrate()
      .catch(() => {})
      .finally(() => host.removeEventListener('click', replayClick, { capture: true }))
    return hydration
  }

  function replayClick(event: Event) {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button) return
    event.preventDefault()
    event.stopPropagation()
    void start().then(() => button.click())
  }

  for (const interaction of INTERACTIONS)
    host.addEventListener(interaction, start, { once: true, passive: true })
  host.addEventListener('click', replayClick, { capture: true })
  whenPainted(start)
}

/** Does it when the page has been painted and is idle. */
export function whenPainted(work: () => void) {
  const begin = () => setTimeout(() => whenIdle(work), PAINT_DELAY)
  if (document.readyState === 'complete') begin()
  else addEventListener('load', begin, { once: true })
}

function whenIdle(work: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 2000 })
  else work()
}

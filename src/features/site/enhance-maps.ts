/** How close a map must be to the viewport to load by itself. */
const NEAR = '100px'

/**
 * Replaces the drawn map with the real one: on a click, or automatically when it comes near the viewport on a fast
 * connection without data saving. Without a network the drawn one stays.
 */
export function enhanceMaps() {
  for (const frame of document.querySelectorAll<HTMLElement>('[data-map]')) {
    const button = frame.querySelector('button')
    if (!button) continue
    button.hidden = false
    button.addEventListener('click', () => load(frame), { once: true })
    if (isFast()) whenNear(frame, () => load(frame))
  }
}

function load(frame: HTMLElement) {
  if (frame.querySelector('iframe')) return
  const map = document.createElement('iframe')
  map.src = frame.dataset.map ?? ''
  map.title = frame.dataset.title ?? ''
  map.referrerPolicy = 'no-referrer'
  frame.querySelector('button')?.remove()
  frame.append(map)
}

/** Chromium's Network Information API; in other browsers the map waits for the click. */
interface Connection {
  readonly effectiveType?: string
  readonly saveData?: boolean
}

function isFast(): boolean {
  const connection: Connection | null = 'connection' in navigator ? Object(navigator.connection) : null
  return connection?.effectiveType === '4g' && !connection.saveData
}

function whenNear(element: Element, work: () => void) {
  const observer = new IntersectionObserver(
    entries => {
      if (!entries.some(entry => entry.isIntersecting)) return
      observer.disconnect()
      work()
    },
    { rootMargin: NEAR },
  )
  observer.observe(element)
}

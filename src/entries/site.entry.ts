import './site.css'
import { dropDraft } from '../features/enquiry-form/drafts/drop-draft.ts'
import { showOfficeTime } from '../features/site/contact/office-clock.ts'
import { islands } from '../features/site/islands.ts'
import { closeMenusFromOutside } from '../ui/header/menu.ts'
import { markScrolling } from '../ui/list/scroll.ts'
import { showFlashedToast } from '../ui/toast/flash-toast.ts'

/** Milliseconds after the page has loaded, in which the browser paints it. */
const PAINT_DELAY = 500
/** Events that show that a part of the page is about to be used. */
const INTERACTIONS = ['pointerover', 'pointerdown', 'focusin', 'keydown'] as const
/** Milliseconds for the map to appear; then the drawn one stays. */
const MAP_TIMEOUT = 8_000

// The page is complete without this script; what it adds comes after the page has loaded, so that reading never waits.
markScrolling()
closeMenusFromOutside()
if (document.cookie.includes('signed_in=1'))
  import('../features/site/staff-header.tsx').then(it => it.showStaffHeader())
for (const host of document.querySelectorAll('[data-island]')) {
  const name = host.getAttribute('data-island')
  if (isIsland(name)) hydrateOnIdle(host, () => hydrateIsland(host, name))
}
if (document.readyState === 'complete') enhanceMaps()
else addEventListener('load', enhanceMaps, { once: true })
whenPainted(() => {
  const manifest = { rel: 'manifest', href: '/site.webmanifest' }
  document.head.append(Object.assign(document.createElement('link'), manifest))
  showOfficeTime()
})
showFlashedToast()
if (location.pathname.startsWith('/status'))
  import('../features/status/open-link.ts').then(it => it.openStatusLink())
// A form that was sent without its script cannot know that it was received, and would restore the same draft.
if (document.querySelector('[data-received]')) dropDraft()

async function hydrateIsland(host: Element, name: keyof typeof islands) {
  const [component, { hydrate }] = await Promise.all([
    islands[name](),
    import('../features/site/hydrate.tsx'),
  ])
  hydrate(host, name, component)
}

function isIsland(name: string | null): name is keyof typeof islands {
  return name !== null && Object.hasOwn(islands, name)
}

/**
 * Hydrates a part of the page once the page is idle, or as soon as somebody uses it. A button that is clicked before
 * that is clicked again afterwards, so that no click is lost; if `hydrate` fails, the button works as without a script.
 */
function hydrateOnIdle(host: Element, hydrate: () => Promise<void>): void {
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
function whenPainted(work: () => void) {
  const begin = () => setTimeout(() => whenIdle(work), PAINT_DELAY)
  if (document.readyState === 'complete') begin()
  else addEventListener('load', begin, { once: true })
}

function whenIdle(work: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 2000 })
  else work()
}

/** Offers the real map in place of the drawn one. Nothing is requested from OpenStreetMap before the button is pressed. */
function enhanceMaps() {
  for (const host of document.querySelectorAll<HTMLElement>('[data-map]')) {
    const [button, status] = [host.querySelector('button'), host.querySelector('p')]
    if (!button || !status) continue
    const { map = '', title = '', loading = '', failed = '' } = host.dataset
    button.hidden = false
    button.onclick = async () => {
      if (host.querySelector('iframe')) return
      status.textContent = loading
      const frame = document.createElement('iframe')
      frame.title = title
      frame.referrerPolicy = 'no-referrer'
      host.append(frame)
      try {
        await load(frame, map)
      } catch {
        frame.remove()
        status.textContent = failed
        return
      }
      frame.className = 'site-map-loaded'
      // Before the button goes, so that the keyboard stays at this place.
      frame.focus()
      button.parentElement?.remove()
    }
  }
}

/**
 * A frame does not say that its page was blocked: it shows the browser's error page. A request to the same address does.
 * @throws when the map cannot be reached, or takes too long
 */
async function load(frame: HTMLIFrameElement, url: string) {
  const signal = AbortSignal.timeout(MAP_TIMEOUT)
  await fetch(url, { mode: 'no-cors', referrerPolicy: 'no-referrer', signal })
  await new Promise((resolve, reject) => {
    frame.onload = resolve
    signal.onabort = reject
    frame.src = url
  })
}

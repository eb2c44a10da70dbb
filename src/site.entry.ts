import './ui/tokens.css'
import './ui/base.css'
import './ui/button.css'
import './ui/field.css'
import './ui/toast.css'
import './features/site/header.css'
import './features/site/carousel.css'
import './features/site/site.css'
import './features/enquiries/form.css'
import './features/site/print.css'
import { dropDraft } from './features/enquiries/drop-draft.ts'
import { islands } from './features/site/islands.ts'
import { bringMapsToLife } from './features/site/map.ts'
import { closeMenusFromOutside } from './ui/menu.ts'
import { markScrolling } from './ui/scroll.ts'
import { showWaitingToast } from './ui/waiting-toast.ts'

// The page is complete without this script; what it adds comes after the page has loaded, so that reading never waits.
markScrolling()
closeMenusFromOutside()
if (document.cookie.includes('signed_in=1'))
  import('./features/site/staff-header.tsx').then(it => it.showStaffHeader())
if (document.readyState === 'complete') hydrateIslands()
else addEventListener('load', hydrateIslands, { once: true })
showWaitingToast()
// A form that was sent without its script cannot know that it was received, and would offer the same again.
if (document.querySelector('[data-received]')) dropDraft()

function hydrateIslands() {
  bringMapsToLife()
  for (const host of document.querySelectorAll('[data-island]')) {
    const name = host.getAttribute('data-island')
    if (isIsland(name)) whenIdle(() => void hydrateIsland(host, name))
  }
}

async function hydrateIsland(host: Element, name: keyof typeof islands) {
  const [component, { hydrate }] = await Promise.all([islands[name](), import('./features/site/hydrate.tsx')])
  hydrate(host, name, component)
}

function isIsland(name: string | null): name is keyof typeof islands {
  return name !== null && Object.hasOwn(islands, name)
}

function whenIdle(work: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 2000 })
  else setTimeout(work, 50)
}

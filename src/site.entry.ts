import './site.css'
import { dropDraft } from './features/enquiry-form/drop-draft.ts'
import { enhanceMaps } from './features/site/enhance-maps.ts'
import { hydrateOnIdle, whenPainted } from './features/site/hydrate-on-idle.ts'
import { islands } from './features/site/islands.ts'
import { showOfficeTime } from './features/site/office-clock.ts'
import { showFlashedToast } from './ui/flash-toast.ts'
import { closeMenusFromOutside } from './ui/menu.ts'
import { markScrolling } from './ui/scroll.ts'

// The page is complete without this script; what it adds comes after the page has loaded, so that reading never waits.
markScrolling()
closeMenusFromOutside()
if (document.cookie.includes('signed_in=1'))
  import('./features/site/staff-header.tsx').then(it => it.showStaffHeader())
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
// A form that was sent without its script cannot know that it was received, and would restore the same draft.
if (document.querySelector('[data-received]')) dropDraft()

async function hydrateIsland(host: Element, name: keyof typeof islands) {
  const [component, { hydrate }] = await Promise.all([islands[name](), import('./features/site/hydrate.tsx')])
  hydrate(host, name, component)
}

function isIsland(name: string | null): name is keyof typeof islands {
  return name !== null && Object.hasOwn(islands, name)
}

import type { Finding } from '../../content/claims/finding.ts'

/** What the portal does in the document of a preview, which runs no scripts of its own. */

/** Only staff see these, so visitors do not load them. */
const STYLES = `
[data-edit] { cursor: pointer; outline-offset: 3px; }
[data-edit]:is(:hover, :focus-within):not(:has([data-edit]:is(:hover, :focus-within))) { outline: 2px dashed #0b6bcb; }
[data-claim] { text-decoration: underline wavy #8a5a00 1px; text-underline-offset: 4px; }
[data-claim=stop] { text-decoration-color: #b4472e; }
[data-edit][data-active] { outline: 3px solid #0b6bcb; border-radius: 4px; }
`

/** Pixels between the edge of the frame and the element that it scrolls to. */
const MARGIN = 48

/** The document of a frame that shows a preview; null for an error page or one that the browser made. */
export function previewIn(frame: HTMLIFrameElement): Document | null {
  const { contentDocument } = frame
  return contentDocument?.querySelector('[data-edit]') ? contentDocument : null
}

/** Calls `onPick` with the field that was clicked. Links do not leave the preview. */
export function listen(preview: Document, onPick: (field: string) => void): void {
  addStyles(preview)
  preview.addEventListener('auxclick', keepHere)
  preview.addEventListener('submit', event => event.preventDefault())
  preview.addEventListener('click', event => {
    keepHere(event)
    const field = elementOf(event)?.closest('[data-edit]')?.getAttribute('data-edit')
    if (field) onPick(field)
  })
}

function addStyles(preview: Document): void {
  const sheetClass = preview.defaultView?.CSSStyleSheet
  if (!sheetClass) return
  const sheet = new sheetClass()
  sheet.replaceSync(STYLES)
  preview.adoptedStyleSheets = [sheet]
}

function keepHere(event: MouseEvent): void {
  if (elementOf(event)?.closest('a')) event.preventDefault()
}

/** An element of another document is no instance of this window's `Element`. */
function elementOf({ target }: Event): Element | null {
  const isElement = (it: EventTarget | null): it is Element => it !== null && 'closest' in it
  return isElement(target) ? target : null
}

/** Outlines what shows a field, or what comes closest to it, and scrolls to the first such element unless it can be seen. */
export function outline(preview: Document, field: string | null): void {
  for (const element of preview.querySelectorAll('[data-active]')) element.removeAttribute('data-active')
  const found = field ? findShown(preview, field) : []
  for (const element of found) element.setAttribute('data-active', '')
  if (found[0]) scrollTo(preview, found[0])
}

/** Underlines what shows a field with a claim. The list beside the form says why. */
export function markClaims(preview: Document, claims: readonly Pick<Finding, 'path' | 'level'>[]): void {
  for (const element of preview.querySelectorAll('[data-claim]')) element.removeAttribute('data-claim')
  for (const { path, level } of claims)
    for (const element of findShown(preview, path)) element.setAttribute('data-claim', level)
}

function findShown(preview: Document, field: string): readonly Element[] {
  const all = [...preview.querySelectorAll('[data-edit]')]
  const at = (path: string) => all.filter(element => element.getAttribute('data-edit') === path)
  for (let path = field; path; path = path.slice(0, Math.max(path.lastIndexOf('.'), 0))) {
    const found = at(path)
    if (found.length > 0) return found
    const inside = all.find(element => element.getAttribute('data-edit')?.startsWith(`${path}.`))
    if (inside) return [inside]
  }
  return []
}

/** `scrollIntoView` would scroll the portal too. */
function scrollTo(preview: Document, element: Element): void {
  element.closest('details')?.setAttribute('open', '')
  const view = preview.defaultView
  const { top, bottom } = element.getBoundingClientRect()
  if (!view || (top >= 0 && bottom <= view.innerHeight)) return
  view.scrollTo({ top: view.scrollY + top - MARGIN, behavior: 'instant' })
}

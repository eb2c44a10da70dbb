/** What a story needs of a browser. */
export interface Driver {
  readonly name: string
  open(url: string): Promise<void>
  /** Waits until it is there and visible. @throws after ten seconds */
  find(kind: Kind, name: string): Promise<Element>
  /** The path of the address bar. */
  path(): Promise<string>
  close(): Promise<void>
}

export interface Element {
  click(): Promise<void>
  type(text: string): Promise<void>
}

/** What a person would look for: a field by its label, anything else by its own words. */
export const kinds = {
  field: 'label',
  button: 'button, [role="button"]',
  link: 'a[href]',
  heading: 'h1, h2, h3',
  textbox: '[role="textbox"]:not([aria-readonly])',
  block: 'main summary',
  text: 'h1, h2, h3, p, td, dd, [role="status"], [role="status"] *',
}
export type Kind = keyof typeof kinds

/** Milliseconds for which an element is waited for, and between two looks. */
const TIMEOUT = 10_000
const LOOK_INTERVAL = 50

/**
 * In the page: the first visible element of these selectors whose words begin with the name, or the field of such a label; of an
 * open dialog, if there is one. It is sent to the browser as text, so it uses nothing from outside.
 */
export function findInPage(selectors: string, name: string): globalThis.Element | null {
  const words = (element: globalThis.Element) => {
    const label = document.getElementById(element.getAttribute('aria-labelledby') ?? '')
    const text = element.getAttribute('aria-label') ?? (label ?? element).textContent ?? ''
    return text.replaceAll(/\s+/g, ' ').trim()
  }
  const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
  const found = [...place.querySelectorAll(selectors)].find(
    element => element.checkVisibility({ visibilityProperty: true }) && words(element).startsWith(name),
  )
  return found instanceof HTMLLabelElement ? found.control : (found ?? null)
}

/** @throws after ten seconds, with what was looked for */
export async function waitFor<T>(look: () => Promise<T | null>, what: string): Promise<T> {
  const giveUpAt = Date.now() + TIMEOUT
  while (Date.now() < giveUpAt) {
    // A page that is being left has no document for a moment.
    const found = await look().catch(() => null)
    if (found) return found
    await new Promise(resolve => setTimeout(resolve, LOOK_INTERVAL))
  }
  throw new Error(`Not found within ${TIMEOUT / 1000} seconds: ${what}`)
}

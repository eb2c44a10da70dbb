/** Moves the focus to the field at a path of the body, or to the nearest part of the form around it. */
export function focusField(path: string): void {
  const parts = path.split('.')
  for (let length = parts.length; length > 0; length--) {
    const found = findField(parts.slice(0, length).join('.'))
    if (!found) continue
    openDetails(found)
    const control = found.matches(CONTROLS) ? found : found.querySelector<HTMLElement>(CONTROLS)
    chosenIn(control)?.focus({ preventScroll: true })
    found.scrollIntoView({ block: 'center' })
    return
  }
}

/** The buttons of a toolbar come before the text that they are for. */
const CONTROLS = 'input, textarea, select, summary, [role=textbox], button:not([role=toolbar] *)'

/** Of a group of radio buttons the one that is chosen, as with Tab. */
function chosenIn(control: HTMLElement | null): HTMLElement | null {
  if (!(control instanceof HTMLInputElement) || control.type !== 'radio') return control
  return control.closest('fieldset')?.querySelector<HTMLElement>('input:checked') ?? control
}

const findField = (path: string) => document.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"]`)

function openDetails(element: Element) {
  for (
    let parent = element.closest('details');
    parent;
    parent = parent.parentElement?.closest('details') ?? null
  )
    parent.open = true
}

/** Moves the focus to the history, whose versions may not be loaded yet. */
export function focusHistory(): void {
  document.querySelector<HTMLElement>('.content-editor-history')?.focus()
}

/** The path of the field that an element belongs to. */
export function fieldOf(element: EventTarget): string | null {
  const found = element instanceof Element ? element.closest<HTMLElement>('[data-field]') : null
  return found?.dataset.field ?? null
}

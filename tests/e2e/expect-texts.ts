import { expect, type Locator, type Page } from '@playwright/test'
import type { screenTexts } from './specified-texts.ts'

type Screen = keyof typeof screenTexts

/** What `{…}` stands for, where it has a form of its own: `MMM d, yyyy h:mm a` is how a time is written. */
const forms: Readonly<Record<string, string>> = {
  '{date}': '[A-Z][a-z]{2} \\d{1,2}, \\d{4}',
  '{date and time}': '[A-Z][a-z]{2} \\d{1,2}, \\d{4} \\d{1,2}:\\d{2} [AP]M',
  '{date and time with seconds}': '[A-Z][a-z]{2} \\d{1,2}, \\d{4} \\d{1,2}:\\d{2}:\\d{2} [AP]M',
  '{count}': '\\d+',
}

/**
 * Waits until each of these texts of the specification is visible, character for character: as all the words of an element
 * in sight, as its label, or as a choice. The texts stand here as they are in the table, for a test looks for them.
 */
export async function expectTexts<Place extends Screen>(
  where: Page | Locator,
  _place: Place,
  ...texts: readonly (typeof screenTexts)[Place][number][]
) {
  for (const text of texts) {
    const words = text.includes('{') ? patternOf(text) : text
    const seen = where.getByText(words, { exact: true }).or(where.getByLabel(words, { exact: true }))
    const choice = where.getByRole('option', { name: words, exact: true })
    await expect(seen.filter({ visible: true }).or(choice).first(), text).toBeAttached()
  }
}

/** The toast, while it is shown. */
export const toast = (page: Page) => page.locator('#toast:popover-open')

/**
 * Points at each toast, so that it stays until it is closed or there is another: on a busy machine its five seconds may be over
 * before it is read. How long it stays is shown in `tests/components/toast.spec.ts`.
 */
export async function keepToasts(page: Page) {
  await page.addInitScript(() => {
    const point = ({ target }: Event) => {
      if (target instanceof Element && target.id === 'toast')
        target.dispatchEvent(new PointerEvent('pointermove'))
    }
    // It does not bubble.
    document.addEventListener('toggle', point, { capture: true })
  })
}

function patternOf(text: string): RegExp {
  const parts = text.split(/(\{[^}]*\})/)
  const form = parts.map(part => (part.startsWith('{') ? (forms[part] ?? '.+') : literally(part)))
  return new RegExp(`^${form.join('')}$`)
}

const literally = (words: string) => words.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

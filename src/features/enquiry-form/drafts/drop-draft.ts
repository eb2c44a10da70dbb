/** The key of the draft in `localStorage`. */
export const DRAFT = 'landfall-enquiry'

export function dropDraft() {
  try {
    localStorage.removeItem(DRAFT)
  } catch {
    // Without access to storage there is no draft.
  }
}

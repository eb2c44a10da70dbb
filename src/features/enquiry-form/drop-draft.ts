/** Under which name the visitor's device keeps a draft. */
export const DRAFT = 'landfall-enquiry'

export function dropDraft() {
  try {
    localStorage.removeItem(DRAFT)
  } catch {
    // Where nothing may be kept, nothing is.
  }
}

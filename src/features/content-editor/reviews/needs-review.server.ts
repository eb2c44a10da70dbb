import type { Database } from '../../../database/tables.ts'
import type { Services } from '../../../services.ts'

/** Whether the settings say that publishing needs a second person's approval. */
export async function needsReview(settings: Services['settings'], from: Database): Promise<boolean> {
  return (await settings.publicValues(from)).content_needs_review === 'true'
}

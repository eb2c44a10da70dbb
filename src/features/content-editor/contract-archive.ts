import * as z from 'zod/mini'
import { ById, Empty } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ContentDocument } from './contract.ts'

/** Deleting a document keeps its versions: they prove what the site claimed. */
export const archive = {
  delete: endpoint({
    method: 'DELETE',
    path: '/api/content/:id',
    access: 'content:edit',
    summary: 'Delete a document: it goes offline and out of the list',
    errorStatuses: [409],
    input: ById,
    reply: Empty,
  }),
  /** Within ten minutes it is as it was before; later it comes back offline. */
  restore: endpoint({
    method: 'POST',
    path: '/api/content/:id/unarchive',
    access: 'content:edit',
    summary: 'Bring a deleted document back',
    errorStatuses: [409],
    input: ById,
    reply: z.object({ document: ContentDocument }),
  }),
}

import * as z from 'zod/mini'
import { endpoint } from '../../../http/endpoint.ts'

const id = z.uuid('There is no such id')

/** The formatting of mail, as a document of its own for a frame. */
export const formatting = {
  read: endpoint({
    method: 'GET',
    path: '/api/messages/:id/entries/:entryId/formatted',
    access: 'inbox:read',
    tokenAuth: 'denied',
    summary: 'Read a mail with its formatting, without anything that a browser would fetch',
    input: z.strictObject({ id, entryId: id }),
    reply: z.string(),
    mediaType: 'text/html',
  }),
}

/** What the frame lets its document do. Its reply says the same. */
export const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'

/** Where a frame finds it. */
export const formattedPath = (id: string, entryId: string) =>
  formatting.read.path.replace(':id', id).replace(':entryId', entryId)

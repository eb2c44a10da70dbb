import * as z from 'zod/mini'
import { Empty, singleLine } from '../../../http/common-schemas.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { listed } from '../messages/filter-contract.ts'

/** Characters: it is a line of the rail. */
export const MAX_VIEW_NAME = 60
/** More than anybody finds one in. */
export const MAX_SAVED_VIEWS = 30

/** What is written of it. Spaces and invisible characters alone could not be pressed. */
const name = singleLine(1, 'Write a name', MAX_VIEW_NAME, 'A name').check(
  z.refine(text => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text), 'Write a name'),
)

const SavedView = z.object({
  id: z.string(),
  name: z.string(),
  /** As in the address of the list. A value that no list has any more is left out there. */
  filter: z.record(z.string(), z.string()),
})
export type SavedView = z.output<typeof SavedView>

const Reply = z.object({ view: SavedView })

const ByView = z.strictObject({ viewId: z.uuid('There is no such id') })

const NewSavedView = z.strictObject({
  name,
  filter: z
    .strictObject(listed)
    .check(
      z.refine(
        filter => Object.keys(filter).some(key => key !== 'order'),
        'Choose what the view is to show first',
      ),
    ),
})
export type NewSavedView = z.output<typeof NewSavedView>

const PATH = '/api/messages/views'
/** With how many messages each has. */
const STALE = [PATH, '/api/dashboard']
/** Nobody else reads them. An admin makes the tokens of others, so a token reads none. */
const own = { access: 'inbox:read', tokenAuth: 'denied' } as const

/** Filters of the list that the caller has saved under a name. */
export const savedViews = {
  list: endpoint({
    ...own,
    method: 'GET',
    path: PATH,
    summary: 'List the views of the inbox that the caller has saved, by name',
    input: z.strictObject({}),
    reply: z.object({ views: z.array(SavedView) }),
  }),
  add: endpoint({
    ...own,
    method: 'POST',
    path: PATH,
    summary: 'Save a filter of the inbox as a view of the caller',
    input: NewSavedView,
    reply: Reply,
    status: 201,
    errorStatuses: [409],
    stale: STALE,
  }),
  rename: endpoint({
    ...own,
    method: 'PATCH',
    path: `${PATH}/:viewId`,
    summary: 'Rename a saved view of the caller',
    input: z.extend(ByView, { name }),
    reply: Reply,
    errorStatuses: [404],
    stale: STALE,
  }),
  delete: endpoint({
    ...own,
    method: 'DELETE',
    path: `${PATH}/:viewId`,
    summary: 'Delete a saved view of the caller',
    input: ByView,
    reply: Empty,
    errorStatuses: [404],
    stale: STALE,
  }),
}

import * as z from 'zod/mini'

const WithTitle = z.object({ title: z.string() })
const WithSiteName = z.object({ company: z.object({ siteName: z.string() }) })

/** Characters of a title in a list. */
const MAX_TITLE = 200

/** The title of a body for lists. It may be that of a draft, so anything that a database cannot keep is removed. */
export function titleOf(body: unknown): string {
  const title =
    WithTitle.safeParse(body).data?.title ?? WithSiteName.safeParse(body).data?.company.siteName ?? ''
  return title.replaceAll('\u0000', '').toWellFormed().slice(0, MAX_TITLE).toWellFormed()
}

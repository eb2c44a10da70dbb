import type { SiteBody } from '../site-body.ts'

/** What the site says about each subclass: closed only if none of its categories is open. */
export function subclassesOf(site: Pick<SiteBody, 'visaCategories'>): ReadonlyMap<string, 'open' | 'closed'> {
  const subclasses = new Map<string, 'open' | 'closed'>()
  for (const { subclasses: entries, programme } of site.visaCategories)
    for (const number of entries.flatMap(({ numbers }) => numbers))
      if (subclasses.get(number) !== 'open') subclasses.set(number, programme.status)
  return subclasses
}

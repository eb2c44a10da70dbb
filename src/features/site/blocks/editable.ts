import type { ListedVisa } from '../../../content/visas.ts'
import type { SiteSettings } from '../site-settings.ts'

/**
 * Names the field of the content that an element shows, so that a click on it in a preview opens the field. Visitors' pages
 * have no such attribute.
 * @param field a path within the body of the document, such as `slides.0.title`
 */
export function editable(
  { isPreview }: Pick<SiteSettings, 'isPreview'>,
  field: string,
): { 'data-edit'?: string } {
  return isPreview ? { 'data-edit': field } : {}
}

/** The field of the site document that says this of a visa: its page has one in a document of its own. */
export function editVisa(site: SiteSettings, { at, page }: ListedVisa, field: string) {
  if (at === null) return {}
  return editable(site, `visaCategories.${at}${page ? '' : `.${field}`}`)
}

import type { SiteSettings } from './site-settings.ts'

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

import type { RichText } from '../../content/rich-text.ts'
import { editable } from './editable.ts'
import { RichTextView } from './rich-text.tsx'
import type { SiteSettings } from './site-settings.ts'

/** A rich text that opens its field in a preview. */
export function EditableText({ text, field, site }: { text: RichText; field: string; site: SiteSettings }) {
  const { facts } = site.live
  const { today, texts } = site
  return (
    <div {...editable(site, field)}>
      <RichTextView text={text} context={{ facts, today, texts }} />
    </div>
  )
}

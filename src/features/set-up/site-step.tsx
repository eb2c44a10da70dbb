import { GuidedEditor } from '../content-editor/editor/guided-editor.tsx'
import { firstSections } from '../content-editor/forms/site-fields.ts'

export function SiteStep({ part }: { part: keyof typeof firstSections }) {
  return <GuidedEditor sections={firstSections[part]} />
}

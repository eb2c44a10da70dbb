import { dropUnshown } from '../../content/characters.ts'

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** For text between tags and in attributes. */
export function escapeXml(text: string): string {
  return dropUnshown(text).replace(/[&<>"]/g, mark => references[mark] ?? mark)
}

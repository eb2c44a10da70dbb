/** What programs read in the props of an island. */
const codes = [
  'id',
  'type',
  'path',
  'value',
  'siteKey',
  'noScriptToken',
  'image',
  'buttonLink',
  'formType',
  'service',
  'name',
  'form',
  'kind',
  'autoComplete',
  'inputMode',
]

const spoken = /\s(?:aria-label|aria-roledescription|alt|title|placeholder|data-title)="([^"]*)"/g
const described = /<meta (?:name|property)="[\w:]*(?:description|title|alt)" content="([^"]*)"/g

/** Everything that people read or hear of a page, and what its islands get. */
export function textsOf(html: string): string[] {
  const props = [...html.matchAll(/ data-props="([^"]*)"/g)].map(([, json = '']) => JSON.parse(decode(json)))
  const shown = html.replace(/<(script|style)\b.*?<\/\1>/gs, '').split(/<[^>]*>/)
  const attributes = [spoken, described].flatMap(pattern =>
    [...html.matchAll(pattern)].map(match => match[1]),
  )
  const texts = [...shown, ...attributes].map((text = '') => decode(text).trim())
  return [...texts.filter(Boolean), ...props.flatMap(shownLeavesOf)]
}

function decode(text: string): string {
  const marks: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>', '#x27': "'" }
  return text.replace(/&(\w+|#x27);/g, (_, name) => marks[name] ?? name)
}

type EmailPart = 'subject' | 'text' | 'html'

/** Lines of an email, without the parts of its source. */
export function linesOf({
  subject = '',
  text = '',
  html = '',
}: { [part in EmailPart]?: string | undefined }): string[] {
  const shown = html.split(/<[^>]*>/).map(each => each.replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n)))
  return [subject, ...text.split('\n'), ...shown].map(line => line.trim()).filter(Boolean)
}

/** Every text in a value, without what programs read. */
export function shownLeavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    codes.includes(name) && typeof each === 'string' && !each.includes(' ') && !each.startsWith('[')
      ? []
      : shownLeavesOf(each),
  )
}

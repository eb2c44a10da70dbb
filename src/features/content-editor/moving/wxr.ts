import { UnreadableFile } from '../../../platform/zip.ts'

/**
 * Reads WordPress's export file, which is RSS with elements of its own. Only the XML that WordPress writes is understood:
 * there are no entities but the five of XML, so none can grow, and no address is fetched. It takes linear time.
 */

/** A page, a post, an attachment, an entry of a menu or anything else. */
export interface WordPressItem {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly title: string
  readonly link: string
  readonly name: string
  readonly parent: string
  readonly creator: string
  readonly date: string
  readonly password: string
  readonly content: string
  readonly excerpt: string
  readonly attachment: string
  /** Domain and name of each, such as `category` and `News`. */
  readonly terms: readonly (readonly [string, string])[]
  readonly meta: ReadonlyMap<string, string>
  readonly comments: number
}

export interface WordPressSite {
  readonly url: string
  /** Name of an account → how it signs. */
  readonly authors: ReadonlyMap<string, string>
  readonly items: readonly WordPressItem[]
  /** Whether the file ends before its end. */
  readonly isCutOff: boolean
}

/** Bytes. WordPress itself takes no larger files, and splits them. */
export const MAX_WXR = 100 * 1024 * 1024
/** Levels of elements. The file has six. */
const MAX_LEVELS = 30

interface Open {
  readonly name: string
  readonly attributes: string
  readonly text: string[]
}

/** @throws {UnreadableFile} */
export function readWordPress(xml: string): WordPressSite {
  const site = { url: '', authors: new Map<string, string>(), items: [] as WordPressItem[], isExport: false }
  const open: Open[] = []
  let item = newItem()
  let author = { login: '', name: '' }
  let meta = { key: '', value: '' }

  function close({ name, attributes, text }: Open) {
    const value = text.join('')
    const parent = open.at(-1)?.name
    if (name === 'item') {
      site.items.push(item)
      item = newItem()
    } else if (parent === 'item') readField(item, name, attributes, value)
    else if (parent === 'wp:postmeta')
      meta = { ...meta, ...(name === 'wp:meta_key' ? { key: value } : { value }) }
    else if (parent === 'wp:author') {
      if (name === 'wp:author_login') author.login = value
      if (name === 'wp:author_display_name') author.name = value
    } else if (name === 'wp:wxr_version') site.isExport = true
    else if (name === 'wp:base_blog_url' || (name === 'link' && parent === 'channel'))
      site.url ||= value.trim()
    if (name === 'wp:author') {
      site.authors.set(author.login, author.name)
      author = { login: '', name: '' }
    }
    if (name === 'wp:postmeta') {
      item.meta.set(meta.key, meta.value)
      meta = { key: '', value: '' }
    }
  }

  for (const [kind, value, attributes] of readXml(xml)) {
    if (kind === 'text') open.at(-1)?.text.push(value)
    else if (kind === 'open') {
      if (open.length >= MAX_LEVELS)
        throw new UnreadableFile('This file is nested too deeply for an export of WordPress.')
      open.push({ name: value, attributes, text: [] })
    } else {
      const last = open.pop()
      if (last?.name !== value)
        throw new UnreadableFile(`This file is damaged: </${value.slice(0, 40)}> ends nothing.`)
      close(last)
    }
  }
  if (!site.isExport) throw new UnreadableFile('This is not an export file of WordPress.')
  return { ...site, isCutOff: open.length > 0 }
}

function newItem() {
  const texts = {
    id: '',
    type: '',
    status: '',
    title: '',
    link: '',
    name: '',
    parent: '',
    creator: '',
    date: '',
  }
  return {
    ...texts,
    ...{ password: '', content: '', excerpt: '', attachment: '', comments: 0 },
    terms: [] as (readonly [string, string])[],
    meta: new Map<string, string>(),
  }
}

const fields: Readonly<
  Record<
    string,
    | 'id'
    | 'type'
    | 'status'
    | 'title'
    | 'link'
    | 'name'
    | 'parent'
    | 'creator'
    | 'date'
    | 'password'
    | 'content'
    | 'excerpt'
    | 'attachment'
  >
> = {
  title: 'title',
  link: 'link',
  'dc:creator': 'creator',
  'content:encoded': 'content',
  'excerpt:encoded': 'excerpt',
  'wp:post_id': 'id',
  'wp:post_date': 'date',
  'wp:post_name': 'name',
  'wp:status': 'status',
  'wp:post_parent': 'parent',
  'wp:post_type': 'type',
  'wp:post_password': 'password',
  'wp:attachment_url': 'attachment',
}

function readField(item: ReturnType<typeof newItem>, name: string, attributes: string, value: string) {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field) item[field] = field === 'content' || field === 'excerpt' ? value : value.trim()
  else if (name === 'category') item.terms.push([/domain="([^"]*)"/.exec(attributes)?.[1] ?? '', value])
  else if (name === 'wp:comment') item.comments++
}

type XmlEvent = readonly [kind: 'open' | 'close' | 'text', value: string, attributes: string]

function* readXml(xml: string): Generator<XmlEvent> {
  let at = 0
  while (at < xml.length) {
    const sign = xml.indexOf('<', at)
    const end = sign < 0 ? xml.length : sign
    if (end > at) yield ['text', decodeXml(xml.slice(at, end)), '']
    if (sign < 0) return
    if (xml.startsWith('<![CDATA[', sign)) {
      const close = xml.indexOf(']]>', sign)
      if (close < 0) return
      yield ['text', xml.slice(sign + 9, close), '']
      at = close + 3
    } else if (xml.startsWith('<!--', sign)) at = after(xml, '-->', sign)
    else if (xml.startsWith('<?', sign)) at = after(xml, '?>', sign)
    else if (xml.startsWith('<!', sign))
      throw new UnreadableFile(
        'This file declares entities or a document type, which no export of WordPress does.',
      )
    else {
      const close = xml.indexOf('>', sign)
      // What is cut off within a tag ends here.
      if (close < 0) return
      yield* readTag(xml.slice(sign + 1, close))
      at = close + 1
    }
  }
}

function* readTag(tag: string): Generator<XmlEvent> {
  if (tag.startsWith('/')) return yield ['close', tag.slice(1).trim(), '']
  const [name = ''] = /^[^\s/]*/.exec(tag) ?? []
  yield ['open', name, tag.slice(name.length)]
  if (tag.endsWith('/')) yield ['close', name, '']
}

function after(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from)
  return found < 0 ? text.length : found + sign.length
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (all, decimal, hex, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? all
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )
}

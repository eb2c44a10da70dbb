import type { PageBlock } from '../../../content/page-bodies.ts'
import { blocksOf } from '../rich-text/html-blocks.ts'
import { attributeOf, readTokens, type Tag, type Token } from '../rich-text/html-tokens.ts'
import { cleanText, createLineReader } from '../rich-text/paste-lines.ts'
import { boundBlocks } from './html-bounds.ts'
import { toTable } from './html-table.ts'
import { type Note, quote } from './report.ts'

/** A picture that is still to be uploaded. */
export interface PictureSource {
  readonly type: 'picture'
  /** Its address at the old site, or a `data:` address. */
  readonly source: string
  readonly alt: string
  readonly caption: string | null
}

export type ImportedBlock =
  | Exclude<PageBlock, { type: 'picture' }>
  | (PictureSource & { readonly id: string })
type WithoutId<Block> = Block extends unknown ? Omit<Block, 'id'> : never

export interface HtmlContext {
  /** Where a link of the old site leads here; null where only its words can be kept. */
  link(href: string): { readonly href: string | null; readonly note?: Note }
  /** The pictures of a gallery. @param ids of attachments; null for those that belong to the page */
  gallery(ids: readonly string[] | null): readonly PictureSource[]
}

/** What the blocks of a page cannot show: its name, and what is kept of it. */
const WORDS = 'its words are kept as plain text'
const reduced: Readonly<Record<string, readonly [string, string]>> = {
  ...{ blockquote: ['Quotation', WORDS], pre: ['Preformatted text', WORDS], code: ['Code', WORDS] },
  ...{ sub: ['Subscript', WORDS], sup: ['Superscript', WORDS], del: ['Struck-out text', WORDS] },
  ...{ s: ['Struck-out text', WORDS], strike: ['Struck-out text', WORDS], details: ['Folded text', WORDS] },
  ...{ dl: ['List of definitions', WORDS], h4: ['Heading of level 4', 'it is one of level 3'] },
  ...{
    h5: ['Heading of level 5', 'it is one of level 3'],
    h6: ['Heading of level 6', 'it is one of level 3'],
  },
}
const NEVER = 'no page shows what another site or a script makes'
const dropped: Readonly<Record<string, readonly [string, string]>> = {
  ...{
    script: ['Script', NEVER],
    style: ['Style', 'pages have the style of this site'],
    iframe: ['Frame', NEVER],
  },
  ...{ template: ['Template', NEVER], noembed: ['Embedding', NEVER], noframes: ['Frame', NEVER] },
  ...{ object: ['Embedding', NEVER], embed: ['Embedding', NEVER], svg: ['Drawing (SVG)', NEVER] },
  ...{
    math: ['Formula', NEVER],
    canvas: ['Drawing', NEVER],
    video: ['Video', NEVER],
    audio: ['Audio', NEVER],
  },
  form: ['Form', 'add the form of this site to the page'],
  ...{
    input: ['Field of a form', 'add the form of this site'],
    select: ['Field of a form', 'add the form of this site'],
  },
  textarea: ['Field of a form', 'add the form of this site'],
}
/** Elements that end a caption which has no end tag. */
const ENDS_CAPTION = /^(figcaption|figure|p|div|h[1-6]|ul|ol|table|img|hr)$/

/** The blocks of a page from HTML of WordPress, which is never shown: only texts, known marks and checked links are taken from it. */
export function convertHtml(html: string, context: HtmlContext) {
  const notes: Note[] = []
  const blocks: WithoutId<ImportedBlock>[] = []
  const reader = createLineReader(false)
  const isClassic = !html.includes('<!-- wp:')
  const inPairs = new Set([...html.matchAll(/\[\/([a-z][\w-]{0,60})\]/gi)].map(([, name]) => name))
  let caption: string[] | null = null
  /** Whether what was added last is in the figure, or the caption, that is open. */
  let isCaptioned = false
  let linkAround: string | null = null
  /** Of the link that is open: a picture that leads to its own file has lost nothing. */
  let linkNote: Note | null = null
  let table: Token[] | null = null
  let tableDepth = 0

  const leaveOut = (what: string, why: string) => void notes.push({ kind: 'left out', what, why })
  const change = (what: string, why: string) => void notes.push({ kind: 'changed', what, why })

  function flush() {
    for (const content of boundBlocks(blocksOf(reader.take())))
      blocks.push({ type: 'text', text: { type: 'doc', content } })
  }

  function addPicture(picture: PictureSource) {
    flush()
    blocks.push(picture)
    isCaptioned = true
  }

  function endCaption() {
    const text = caption?.join('').replace(/\s+/g, ' ').trim() ?? ''
    const last = blocks.at(-1)
    caption = null
    if (!text || !last) return
    if (last.type === 'picture') blocks[blocks.length - 1] = { ...last, caption: text }
    else if (last.type === 'table') blocks[blocks.length - 1] = { ...last, caption: text }
    else reader.addText(text)
  }

  function addText(text: string) {
    if (caption) return void caption.push(cleanText(text))
    if (!isClassic) return reader.addText(text)
    // WordPress makes a paragraph of what an empty line ends.
    for (const [at, line] of text.split(/\r?\n/).entries()) {
      if (at > 0) reader.open(BREAK)
      reader.addText(line)
    }
  }

  function addWords(text: string) {
    if (!text.includes('[')) return addText(text)
    let at = 0
    for (const code of text.matchAll(SHORTCODE)) {
      if (!isShortcode(code, inPairs)) continue
      addText(text.slice(at, code.index))
      at = code.index + code[0].length
      readShortcode(code)
    }
    addText(text.slice(at))
  }

  function readShortcode([written, slash, name = '', attributes = '']: RegExpExecArray) {
    const attribute = (wanted: string) => attributeOf({ name, isEnd: false, attributes }, wanted)
    if (/^(wp_)?caption$/.test(name)) {
      if (slash) endCaption()
      isCaptioned = false
      inCaption = !slash
    } else if (name === 'gallery') {
      const ids = attribute('ids') || attribute('include')
      const named = ids ? ids.split(',').map(id => id.trim()) : null
      const pictures = context.gallery(named)
      for (const picture of pictures) addPicture(picture)
      if (pictures.length > 0) change('Gallery', `its ${pictures.length} pictures follow one another`)
      const missing = (named?.length ?? Math.max(1, pictures.length)) - pictures.length
      if (missing > 0)
        leaveOut(
          `Pictures of a gallery: ${missing} of ${quote(ids) || 'the page'}`,
          'the export file does not have them',
        )
    } else if (!slash)
      leaveOut(`Shortcode ${quote(written)}`, 'it needs a plug-in of WordPress; what it encloses is kept')
  }
  let inCaption = false

  function readImage(tag: Tag) {
    const alt = cleanText(attributeOf(tag, 'alt')).trim()
    if (/\b(wp-smiley|emoji)\b/.test(attributeOf(tag, 'class'))) return reader.addText(alt)
    const [shown, lazy] = [
      attributeOf(tag, 'src'),
      attributeOf(tag, 'data-src') || attributeOf(tag, 'data-lazy-src'),
    ]
    const source = (lazy && (!shown || shown.startsWith('data:')) ? lazy : shown).trim()
    linkNote = null
    if (linkAround && !isPictureFile(linkAround))
      leaveOut(`Link around a picture: ${quote(linkAround)}`, 'a picture is no link')
    addPicture({ type: 'picture', source, alt, caption: null })
    if (inCaption) caption = []
  }

  function endLink() {
    if (linkNote) notes.push(linkNote)
    linkNote = null
  }

  function readLink(tag: Tag): Tag {
    const { href, note } = context.link(attributeOf(tag, 'href').trim())
    linkAround = attributeOf(tag, 'href').trim()
    endLink()
    linkNote = note ?? null
    return { ...tag, attributes: href === null ? '' : ` href="${quoted(href)}"` }
  }

  function open(tag: Tag) {
    const [what, why] = Object.hasOwn(reduced, tag.name) ? (reduced[tag.name] ?? []) : []
    if (what && why) change(what, why)
    if (tag.name === 'img') return readImage(tag)
    if (tag.name === 'figure') isCaptioned = false
    if (tag.name === 'figcaption' && isCaptioned) {
      caption = []
      return
    }
    if (tag.name === 'a') return reader.open(readLink(tag))
    // A fact of this site is nothing that another site can name.
    reader.open(
      tag.name === 'span' ? { ...tag, attributes: attributeOf(tag, 'data-fact') ? '' : tag.attributes } : tag,
    )
  }

  function close(tag: Tag) {
    if (tag.name === 'a') {
      linkAround = null
      endLink()
    }
    reader.close(tag)
    if (tag.name === 'figure') isCaptioned = false
  }

  function read(token: Token) {
    if (typeof token === 'string') return addWords(token)
    if (caption && !inCaption && ENDS_CAPTION.test(token.name)) {
      endCaption()
      if (token.name === 'figcaption') return
    }
    if (token.isEnd) close(token)
    else if (caption) return
    else open(token)
  }

  function endTable() {
    const tokens = table ?? []
    table = null
    const made = toTable(tokens, (href: string) => context.link(href))
    notes.push(...made.notes)
    if (!made.block) {
      for (const token of tokens) read(token)
      return
    }
    flush()
    blocks.push(made.block)
    isCaptioned = true
    for (const tag of made.images) readImage(tag)
  }

  for (const token of readTokens(html)) {
    const isTable = typeof token !== 'string' && token.name === 'table'
    if (table) {
      if (isTable) tableDepth += token.isEnd ? -1 : 1
      table.push(token)
      if (tableDepth === 0) endTable()
    } else if (isTable && !token.isEnd && !caption) {
      table = [token]
      tableDepth = 1
    } else read(token)
  }
  if (table) endTable()
  if (caption) endCaption()
  endLink()
  flush()
  if (blocks.some(block => block.type === 'table' && block.caption === ''))
    change('Table', 'it needs a caption before the page can be published')
  notes.push(...findDropped(html))
  return { blocks, notes }
}

const BREAK: Tag = { name: 'br', isEnd: false, attributes: '' }

const SHORTCODE = /(?<!\[)\[(\/?)([a-z][\w-]{0,60})((?:\s[^[\]]*)?)\](?!\])/gi
const KNOWN =
  /^(gallery|caption|wp_caption|embed|audio|video|playlist|contact-form|contact-form-7|vc_\w+|et_pb_\w+)$/i

/** What stands in brackets may be plain text, such as [sic]: a shortcode has attributes, an end, or a name that no word has. */
function isShortcode(
  [, , name = '', attributes = '']: RegExpExecArray,
  inPairs: ReadonlySet<string | undefined>,
) {
  return KNOWN.test(name) || attributes.includes('=') || /[_-]/.test(name) || inPairs.has(name)
}

const isPictureFile = (href: string) =>
  /\.(jpe?g|png|webp|gif|avif)([?#]|$)/i.test(href) || /attachment_id=/.test(href)

const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Characters after the name of an element in which its address is looked for. */
const HEAD = 500

/** Elements that are left out, in the order of the page, and blocks that WordPress fills when it shows a page. */
function findDropped(html: string): Note[] {
  const notes: Note[] = []
  const name = Object.keys(dropped).join('|')
  for (const found of html.matchAll(new RegExp(`<(${name})(?=[\\s/>])`, 'gi'))) {
    const [what, why] = dropped[(found[1] ?? '').toLowerCase()] ?? []
    const [head = ''] = html.slice(found.index, found.index + HEAD).split('>', 1)
    const [, src = ''] = /\s(?:src|data|action)\s*=\s*["']?([^"'\s>]+)/i.exec(head) ?? []
    if (what && why) notes.push({ kind: 'left out', what: src ? `${what}: ${quote(src)}` : what, why })
  }
  for (const found of html.matchAll(/<!--\s+wp:([a-z][a-z0-9/-]{0,80})/g)) {
    const end = html.indexOf('-->', found.index)
    if (end < 0) break
    if (html.charAt(end - 1) !== '/') continue
    const ref = /"ref":\s*(\d+)/.exec(html.slice(found.index, Math.min(end, found.index + HEAD)))?.[1]
    const what = ref ? `Reusable block ${ref}` : `Block "${found[1]}"`
    notes.push({ kind: 'left out', what, why: 'WordPress fills it when it shows the page' })
  }
  return notes
}

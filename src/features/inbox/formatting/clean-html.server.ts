import { takeTurns } from '../../../platform/turns.ts'
import { CHARACTERS_BETWEEN_TURNS, cleanDeclarations, cleanSheet } from './clean-css.server.ts'

/**
 * The formatting of a mail, written again: only elements and attributes of the lists below are kept, and each text and value is
 * escaped again. So whatever a browser would read differently than this does, it finds nothing that fetches, sends or runs.
 */
export interface CleanHtml {
  /** What goes into a body. */
  readonly body: string
  /** Rules without anything that is fetched. */
  readonly styles: string
}

const words = (text: string) => new Set(text.split(' '))

const KEPT = words(
  'a abbr address article aside b big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em ' +
    'figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small ' +
    'span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr',
)
/** Elements without an end. */
const VOID = words('br col hr img wbr')
/** What they contain is no text of the mail, or would be read by other rules. */
const DROPPED = words(
  'script style title iframe noembed noframes textarea xmp svg math template object applet select canvas',
)
/** No title: over a link, it would be read as its address. */
const ATTRIBUTES = words(
  'align alt border cellpadding cellspacing char color dir face height lang nowrap size start type valign value width',
)
/** How many cells one is. */
const SPANS = ['colspan', 'rowspan', 'span']
/** From 1 to 50, which no table of a mail exceeds. */
const SPAN = /^(?:[1-9]|[1-4]\d|50)$/
const CLOSES_PARAGRAPH = words(
  'address article aside blockquote center dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main ' +
    'nav ol p pre section table ul',
)

/** Newsletters are about fifty deep. */
const MAX_NESTED = 100
/** What is far more would keep a browser busy. */
const MAX_ELEMENTS = 20_000
/** Of all elements that span some. A browser is busy with each of them. */
const MAX_SPANNED_CELLS = 20_000
/** Characters. */
const MAX_LINK = 4000
/** What is longer can be a picture only, which is written without references. */
const MAX_DECODED = 8000
/** Of one element, and more than there are. */
const MAX_ATTRIBUTES = 100

const MARKUP = /<(?:!--|[!?]|\/?[a-zA-Z])/g
const NAME = /[^\s/>]*/y
const ATTRIBUTE = /[\s/]*(?:=|([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)/y

type Attributes = ReadonlyMap<string, string>

/** @param html as the sender wrote it. Of a long one, others are served in between. */
export async function cleanHtml(html: string): Promise<CleanHtml> {
  const turn = await takeTurns()
  const output = createOutput()
  const styles: string[] = []
  let [at, paused] = [0, 0]
  while (at < html.length) {
    if (at - paused >= CHARACTERS_BETWEEN_TURNS) {
      await turn()
      paused = at
    }
    MARKUP.lastIndex = at
    const next = MARKUP.exec(html)
    output.text(html.slice(at, next?.index))
    if (!next) break
    const from = MARKUP.lastIndex
    if (next[0] === '<!--') at = after(html, /--!?>/g, from)
    else if (/[!?]$/.test(next[0])) at = after(html, />/g, from)
    else {
      const tag = readTag(html, from - 1)
      at = tag.end
      if (next[0].startsWith('</')) output.close(tag.name)
      else if (DROPPED.has(tag.name)) {
        const end = endOfDropped(html, tag.name, at)
        if (tag.name === 'style') styles.push(html.slice(at, end))
        at = after(html, />/g, end)
      } else output.open(tag.name, tag.attributes)
    }
  }
  return { body: output.end(), styles: await cleanSheet(styles.join('\n')) }
}

/** Where it goes on; the end if what is begun never ends. */
function after(html: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from
  return pattern.test(html) ? pattern.lastIndex : html.length
}

/** Where its end tag begins. Whether that ends too is not asked here, as it would be of each of a thousand that do not. */
function endOfDropped(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

function readTag(html: string, from: number) {
  NAME.lastIndex = from
  const name = (NAME.exec(html)?.[0] ?? '').toLowerCase()
  const attributes = new Map<string, string>()
  let end = NAME.lastIndex || from
  for (let count = 0; count < MAX_ATTRIBUTES; count++) {
    ATTRIBUTE.lastIndex = end
    const found = ATTRIBUTE.exec(html)
    if (!found) break
    end = ATTRIBUTE.lastIndex
    const [, key, double, single, bare] = found
    const lower = key?.toLowerCase()
    if (lower && !attributes.has(lower)) attributes.set(lower, decode(double ?? single ?? bare ?? ''))
  }
  const close = after(html, />/g, end)
  // One that never ends is no tag.
  return { name: html[close - 1] === '>' ? name : '', attributes, end: close }
}

/** Writes well-formed HTML of bounded depth, whatever is opened and closed. */
function createOutput() {
  const parts: string[] = []
  const opened: string[] = []
  let [count, spanned] = [0, 0]

  function cleanSpans(attributes: Attributes): string {
    const kept = SPANS.flatMap(name => {
      const value = attributes.get(name) ?? ''
      return SPAN.test(value) ? [[name, Number(value)] as const] : []
    })
    const cells = kept.reduce((product, [, value]) => product * value, 1)
    if (kept.length === 0 || spanned + cells > MAX_SPANNED_CELLS) return ''
    spanned += cells
    return kept.map(([name, value]) => ` ${name}="${value}"`).join('')
  }

  function closeDownTo(depth: number) {
    while (opened.length > depth) parts.push(`</${opened.pop()}>`)
  }

  return {
    text: (text: string) => void parts.push(text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
    open(name: string, attributes: Attributes) {
      const own = name === 'body' ? 'div' : name
      if (name === 'img') return void parts.push(cleanPicture(attributes))
      if (!KEPT.has(own) || opened.length >= MAX_NESTED || count >= MAX_ELEMENTS) return
      count++
      // As a browser does it, which would otherwise open again what was open in the paragraph.
      const paragraph = opened.lastIndexOf('p')
      if (paragraph >= 0 && CLOSES_PARAGRAPH.has(own)) closeDownTo(paragraph)
      const link = own === 'a' ? opened.lastIndexOf('a') : -1
      if (link >= 0) closeDownTo(link)
      const first = own === 'a' ? cleanLink(attributes) : cleanSpans(attributes)
      parts.push(`<${own}${first}${cleanAttributes(attributes)}>`)
      if (!VOID.has(own)) opened.push(own)
    },
    close(name: string) {
      const at = opened.lastIndexOf(name === 'body' ? 'div' : name)
      if (at >= 0 && name !== 'body') closeDownTo(at)
    },
    end() {
      closeDownTo(0)
      return parts.join('')
    },
  }
}

function cleanAttributes(attributes: Attributes): string {
  const kept = [...attributes].filter(([name, value]) => ATTRIBUTES.has(name) && value.length <= 500)
  const colour = attributes.get('bgcolor')
  const style = cleanDeclarations(
    [colour && `background-color:${colour}`, attributes.get('style')].filter(Boolean).join(';'),
  )
  const names = attributes.get('class')
  return [
    ...kept,
    ...(style ? [['style', style] as const] : []),
    ...(names && /^[\w\s-]+$/.test(names) ? [['class', names] as const] : []),
  ]
    .map(([name, value]) => ` ${name}="${escapeValue(value)}"`)
    .join('')
}

/** It opens in a tab of its own, and its address can be read before somebody presses it. */
function cleanLink(attributes: Attributes): string {
  const href = attributes.get('href')?.trim() ?? ''
  const url = href.length > MAX_LINK ? null : URL.parse(href)
  if (!url || !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return ''
  const address = escapeValue(url.href)
  return ` href="${address}" target="_blank" rel="noopener noreferrer" title="${address}"`
}

const DATA = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);base64,[a-z\d+/=\s]+$/i

/** Of a picture that would be fetched, its description is left. One that is there to be counted has none. */
function cleanPicture(attributes: Attributes): string {
  const source = attributes.get('src')?.trim() ?? ''
  if (DATA.test(source)) return `<img src="${escapeValue(source)}"${cleanAttributes(attributes)}>`
  const description = attributes.get('alt')?.trim() ?? ''
  return description ? `<span>[${escapeValue(description.slice(0, 200))}]</span>` : ''
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' },
  ...{ colon: ':', sol: '/', Tab: '\t', NewLine: '\n', lpar: '(', rpar: ')', commat: '@', period: '.' },
}

/** What no browser needs is left as it is, and is then a text like any other. */
function decode(value: string): string {
  if (value.length > MAX_DECODED || !value.includes('&')) return value
  return value.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,8}));?/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[name] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '\uFFFD'
  })
}

const escapeValue = (value: string) => value.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

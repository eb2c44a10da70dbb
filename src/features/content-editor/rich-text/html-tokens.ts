/**
 * Pasted HTML as a row of tags and texts. The browser's own parser is not used: it needs a policy for trusted types. What is
 * misread here costs a format and nothing else, because only text and known marks are taken from it. It takes linear time,
 * and keeps nothing nested.
 */

export interface Tag {
  readonly isEnd: boolean
  /** In lower case. */
  readonly name: string
  readonly attributes: string
}

/** A text is decoded. */
export type Token = Tag | string

/** Elements whose content is not read as text of the page. */
const HIDDEN = new Set(['script', 'style', 'title', 'iframe', 'noembed', 'noframes', 'template'])

export function* readTokens(html: string): Generator<Token> {
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const end = open < 0 ? html.length : open
    if (end > at) yield decode(html.slice(at, end))
    if (open < 0) return
    const [token, next] = readMarkup(html, open)
    if (token !== null) yield token
    at = next
  }
}

/** @returns what starts with `<` here, null for what is dropped, and where it ends */
function readMarkup(html: string, open: number): [Token | null, number] {
  if (html.startsWith('<!--', open)) return [null, after(html, '-->', open + 4)]
  // Word writes <![if !supportLists]>.
  if (/[!?]/.test(html.charAt(open + 1))) return [null, after(html, '>', open)]
  const name = /^<(\/?)([a-z][^\s/<>]*)/i.exec(html.slice(open, open + 40))
  if (!name) return ['<', open + 1]
  const [start, slash, written = ''] = name
  const end = endOfTag(html, open + start.length)
  const attributes = html.slice(open + start.length, end - 1)
  const tag = { isEnd: slash === '/', name: written.toLowerCase(), attributes }
  return HIDDEN.has(tag.name) && !tag.isEnd ? [null, endOfHidden(html, tag.name, end)] : [tag, end]
}

function after(html: string, sign: string, from: number): number {
  const found = html.indexOf(sign, from)
  return found < 0 ? html.length : found + sign.length
}

/** A `>` in quotes does not end a tag. */
function endOfTag(html: string, from: number): number {
  const signs = /[>"']/g
  signs.lastIndex = from
  for (let sign = signs.exec(html); sign; sign = signs.exec(html)) {
    if (sign[0] === '>') return signs.lastIndex
    signs.lastIndex = after(html, sign[0], signs.lastIndex)
  }
  return html.length
}

function endOfHidden(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?![^\\s/>])`, 'gi')
  end.lastIndex = from
  return end.exec(html) ? after(html, '>', end.lastIndex) : html.length
}

const ATTRIBUTE = /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s"'>]+)))?/g

/** The decoded value of an attribute; empty if there is none. */
export function attributeOf({ attributes }: Tag, wanted: string): string {
  for (const [, name, double, single, bare] of attributes.matchAll(ATTRIBUTE))
    if (name?.toLowerCase() === wanted) return decode(double ?? single ?? bare ?? '')
  return ''
}

/** U+00A0 to U+00FF in their order; browsers and Word write all others as characters or numbers. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const named = new Map([
  ...latin.split(' ').map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
  ...Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", euro: '€', trade: '™', bull: '•', hellip: '…' },
    ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' },
    ...{ rarr: '→', larr: '←', minus: '−', le: '≤', ge: '≥', ensp: ' ', emsp: ' ', thinsp: ' ' },
  }),
])

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,9}));?/gi,
    (all, decimal, hex, name) => {
      if (name !== undefined) return named.get(name) ?? all
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )
}

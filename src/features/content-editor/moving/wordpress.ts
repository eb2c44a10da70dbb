import { oldAddressOf, readOldAddress } from '../../../content/old-addresses.ts'
import { isLinkTarget } from '../../../content/rich-text.ts'
import { SHOWN_SUMMARY } from '../contract.ts'
import { readTokens } from '../rich-text/html-tokens.ts'
import { cleanText } from '../rich-text/paste-lines.ts'
import { MAX_ADDRESSES } from './contract.ts'
import { convertHtml, type HtmlContext, type ImportedBlock, type PictureSource } from './html-import.ts'
import { countNotes, type Note, quote, type ReportLine } from './report.ts'
import type { WordPressItem, WordPressSite } from './wxr.ts'

/** A page or a post, before it is converted. */
export interface Candidate {
  readonly item: WordPressItem
  readonly origin: string
  readonly kind: 'page' | 'article'
  readonly path: string
  readonly title: string
  /** Its addresses at the old site. */
  readonly from: readonly string[]
}

export interface ConvertedDocument {
  readonly title: string
  readonly description: string
  readonly author: string
  readonly blocks: readonly ImportedBlock[]
  readonly notes: readonly Note[]
}

/** What is imported as a draft. The others say of themselves that nobody wants them. */
const statuses: Readonly<Record<string, string>> = {
  publish: '',
  future: 'It was scheduled',
  draft: 'It was a draft',
  pending: 'It waited for a review',
  private: 'It was private',
}

/** Which pages and posts there are, and what is left out because it is neither. */
export function listCandidates(site: WordPressSite): { candidates: Candidate[]; lines: ReportLine[] } {
  const candidates: Candidate[] = []
  const lines: ReportLine[] = []
  const seen = new Set<string>()
  const leaveOut = (document: string, what: string, why: string) =>
    lines.push({ kind: 'left out', document, what, why })
  for (const item of site.items) {
    const title = titleOf(item)
    const isDocument = item.type === 'page' || item.type === 'post'
    if (item.type === 'attachment') continue
    if (!isDocument) leaveOut(title, ...describeOther(item))
    else if (!Object.hasOwn(statuses, item.status))
      leaveOut(title, 'Document', `its status is ${quote(item.status) || 'not known'}`)
    else {
      const candidate = toCandidate(site, item)
      if (seen.has(candidate.origin)) leaveOut(title, 'Document', 'the file has it twice')
      else candidates.push(candidate)
      seen.add(candidate.origin)
    }
  }
  return { candidates, lines }
}

function describeOther({ type, terms }: WordPressItem): [what: string, why: string] {
  if (type === 'nav_menu_item')
    return [
      `Entry of the menu ${quote(terms.find(([domain]) => domain === 'nav_menu')?.[1] ?? 'without a name')}`,
      MENUS,
    ]
  return [`Entry of the type ${quote(type) || 'unknown'}`, 'only pages and posts become documents']
}
const MENUS = 'the menus of this site are edited in the site document'

const hostOf = (url: string) =>
  /^https?:\/\/(?:www\.)?([^/?#\s]+)/i.exec(url.trim())?.[1]?.toLowerCase() ?? ''

function toCandidate(site: WordPressSite, item: WordPressItem): Candidate {
  const kind = item.type === 'page' ? 'page' : 'article'
  const title = titleOf(item)
  const old = readOldAddress(item.link) ?? ''
  const path = old.startsWith('/?') ? '' : old
  const name =
    toName(item.name) || toName(path.split('/').at(-1) ?? '') || toName(title) || `${item.type}-${item.id}`
  const nested = path.split('/').map(toName).filter(Boolean)
  const isNested = kind === 'page' && nested.length > 1 && nested.length <= 3
  const former = [...item.meta].flatMap(([key, value]) =>
    key === '_wp_old_slug' && path ? (readOldAddress(path.replace(/[^/]+$/, value)) ?? []) : [],
  )
  const numbered = item.id ? [`/?p=${item.id}`] : []
  return {
    ...{ item, kind, title },
    origin: quote(`wordpress:${hostOf(site.url)}/?p=${item.id || `${path}#${title}`}`),
    path: kind === 'article' ? `/news/${name}` : `/${isNested ? nested.join('/') : name}`,
    from: [...new Set([path, ...numbered, ...former])].filter(Boolean).slice(0, MAX_ADDRESSES),
  }
}

/** Characters of one part of an address: what an address has room for, with its folder and a number. */
const MAX_PART = 80

function toName(text: string): string {
  const plain = decode(text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
  return (plain.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-').slice(0, MAX_PART).replace(/-+$/, '')
}

/** WordPress writes other alphabets as `%e5%85%b3`. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const wordsOf = (html: string) =>
  cleanText([...readTokens(html)].filter(token => typeof token === 'string').join(' '))
    .replace(/\s+/g, ' ')
    .trim()

/** Characters of a title: a line of a list. */
const MAX_TITLE_WORDS = 300

function titleOf(item: WordPressItem): string {
  return (
    wordsOf(item.title).slice(0, MAX_TITLE_WORDS).toWellFormed().trim() ||
    `Without a title (${quote(item.id)})`
  )
}

/** @param newPaths the path here of each old address */
export function createConverter(site: WordPressSite, newPaths: ReadonlyMap<string, string>) {
  const host = hostOf(site.url)
  const attachments = new Map(
    site.items.flatMap(item => (item.type === 'attachment' ? [[item.id, item] as const] : [])),
  )
  const byParent = Map.groupBy(attachments.values(), ({ parent }) => parent)

  const toPicture = (item: WordPressItem): PictureSource => ({
    type: 'picture',
    source: item.attachment || item.link,
    alt: cleanText(item.meta.get('_wp_attachment_image_alt') ?? '').trim(),
    caption: wordsOf(item.excerpt) || null,
  })

  function link(href: string): ReturnType<HtmlContext['link']> {
    const own = hostOf(href) === host && host !== ''
    const isHere = own || /^\/(?!\/)/.test(href)
    if (isHere) return linkHere(href)
    const secure = href.replace(/^http:\/\//i, 'https://')
    if (isLinkTarget(secure)) {
      if (secure === href) return { href }
      return {
        href: secure,
        note: { kind: 'changed', what: `Link to ${quote(href)}`, why: 'it leads to https://' },
      }
    }
    const why = href.startsWith('#')
      ? 'a page has no places that a link can lead to; its words are kept'
      : 'it does not lead to a page, an email address or a phone number; its words are kept'
    return { href: null, note: { kind: 'left out', what: `Link to ${quote(href) || 'nothing'}`, why } }
  }

  function linkHere(href: string): ReturnType<HtmlContext['link']> {
    const here = newPaths.get(readOldAddress(href) ?? '')
    if (here) return { href: here }
    if (/^(https?:\/\/[^/]+)?\/?(#.*)?$/i.test(href)) return { href: '/' }
    const why = 'the page or file was not imported; its words are kept'
    return { href: null, note: { kind: 'left out', what: `Link to ${quote(href)}`, why } }
  }

  return function convert({ item, kind, title }: Candidate): ConvertedDocument {
    const { blocks, notes } = convertHtml(item.content, {
      link,
      gallery: ids =>
        (ids ? ids.flatMap(id => attachments.get(id) ?? []) : (byParent.get(item.id) ?? [])).map(toPicture),
    })
    const thumbnail = attachments.get(item.meta.get('_thumbnail_id') ?? '')
    const hasIt = blocks.some(
      block => block.type === 'picture' && sameFile(block.source, thumbnail?.attachment ?? ''),
    )
    const all = thumbnail && !hasIt ? [toPicture(thumbnail), ...blocks] : blocks
    const author = site.authors.get(item.creator) || item.creator
    return {
      title,
      description: describe(item),
      author: kind === 'article' ? cleanText(author).trim() : '',
      blocks: all.map((block, at) => ({ id: `block-${at + 1}`, ...block })),
      notes: countNotes([...notesOf(item, kind, author), ...notes]),
    }
  }
}

/** WordPress makes smaller files of a picture, whose names have their size. */
export const withoutSize = (address: string) => address.replace(/-(\d{1,5}x\d{1,5}|scaled)(?=\.\w+$)/, '')
const sameFile = (one: string, other: string) => other !== '' && withoutSize(one) === withoutSize(other)

function describe({ meta, excerpt, content }: WordPressItem): string {
  const given = meta.get('_yoast_wpseo_metadesc') || meta.get('rank_math_description') || excerpt
  // No more is read than can be shown.
  const words = wordsOf(given || content.slice(0, 5000))
    .replace(/\[[^\]]*\]/g, '')
    .trim()
  if (words.length <= SHOWN_SUMMARY) return words
  return `${words
    .slice(0, SHOWN_SUMMARY)
    .replace(/\s+\S*$/, '')
    .toWellFormed()} …`
}

/** What WordPress knew of a page and this site does not show. */
function notesOf(item: WordPressItem, kind: Candidate['kind'], author: string): Note[] {
  const notes: Note[] = []
  const leaveOut = (what: string, why: string) => notes.push({ kind: 'left out', what, why })
  const status = statuses[item.status]
  if (status) leaveOut(status, 'here it is a draft, as all that is imported')
  if (item.password) leaveOut('It asked for a password', 'what is published here is for everybody')
  if (item.date)
    leaveOut(`Its date: ${quote(item.date)}`, 'a page has the date of the day when it is published here')
  if (kind === 'page' && author) leaveOut(`Its author: ${quote(author)}`, 'only articles have an author')
  if (item.comments > 0) leaveOut(`Comments: ${item.comments}`, 'this site has none')
  const terms = [...new Set(item.terms.map(([domain, name]) => `${name} (${domain})`))]
  if (terms.length > 0) leaveOut(`Categories and tags: ${quote(terms.join(', '))}`, 'this site has none')
  const fields = [...item.meta.keys()].filter(key => !key.startsWith('_') && !/^rank_math/.test(key))
  if (fields.length > 0)
    leaveOut(`Fields of plug-ins: ${quote(fields.join(', '))}`, 'they belong to WordPress')
  if (item.meta.has('_elementor_data') || item.meta.has('_fl_builder_data'))
    leaveOut('The layout of a page builder', 'its words are kept where WordPress wrote them into the page')
  return notes
}

/** The old addresses of all that is imported, as links name them. */
export function addressesOf({ item, from }: Candidate): string[] {
  const ids = item.id ? [oldAddressOf('/', `?p=${item.id}`)] : []
  return [...from.flatMap(address => readOldAddress(address) ?? []), ...ids]
}

/** Whether a picture of the file is used nowhere: then it is left out, too. */
export function listUnused(site: WordPressSite, used: ReadonlySet<string>): ReportLine[] {
  return site.items.flatMap(item =>
    item.type === 'attachment' && !used.has(withoutSize(item.attachment))
      ? [
          {
            kind: 'left out' as const,
            document: titleOf(item),
            what: `File ${quote(item.attachment)}`,
            why: 'no page shows it',
          },
        ]
      : [],
  )
}

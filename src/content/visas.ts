import type { TypedBody } from './bodies.ts'
import type { VisaBody } from './page-bodies.ts'
import type { SiteBody } from './site-body.ts'

/** The one list of visas: home page, /visas, visa finder and claim guard read it. */

interface LiveDocument {
  readonly documentId: string
  readonly path: string
  readonly content: TypedBody
}

interface Live {
  readonly site: SiteBody
  readonly documents: ReadonlyMap<string, LiveDocument>
  /** A path that a document had → the one it has. */
  readonly redirects: ReadonlyMap<string, string>
}
type Place = SiteBody['visaCategories'][number]
export type DescribedVisa = Extract<Place, { kind: 'described' }>

/** Without those that have a page. */
export function describedVisas({
  visaCategories,
}: Pick<SiteBody, 'visaCategories'>): readonly DescribedVisa[] {
  return visaCategories.filter(visa => visa.kind === 'described')
}

export interface LiveVisa extends Pick<LiveDocument, 'documentId' | 'path'> {
  readonly body: VisaBody
}

/** A visa that the site describes: what a card says of it, and what its page or its place in the list says. */
export interface ListedVisa
  extends Pick<VisaBody, 'subclasses' | 'facts' | 'figures' | 'programme' | 'more' | 'service'> {
  readonly id: string
  /** On cards. */
  readonly title: string
  readonly text: string
  readonly isOnHome: boolean
  /** None for one that is described in the list alone. */
  readonly page: LiveVisa | undefined
  /** Its place in the list of the site document; null for a published one that is not in it. */
  readonly at: number | null
}

/**
 * The visas in the order of the site document, then the published ones that it does not name, by title. A page takes the place
 * of a description of the same subclasses, so that a visa has one source.
 */
export function listVisas({ site, documents, redirects }: Live): readonly ListedVisa[] {
  const places = site.visaCategories
  const known = listed.get(documents)
  if (known?.places === places) return known.visas
  const pages = visaPages(documents)
  const named = placePages(places, pages, redirects)
  const visas = [...listPlaces(places, named), ...listOthers(pages, new Set(named.values()))]
  listed.set(documents, { places, visas })
  return visas
}

/** Made once for what is live, because a page asks for it more than once. */
const listed = new WeakMap<Live['documents'], { places: readonly Place[]; visas: readonly ListedVisa[] }>()

function listPlaces(places: readonly Place[], named: ReadonlyMap<number, LiveVisa>): readonly ListedVisa[] {
  return places.flatMap((place, at) => {
    const page = named.get(at)
    if (page) return [toListed(page, place, at)]
    if (place.kind === 'page') return []
    const { description: text, ...described } = place
    return [{ ...described, text, page: undefined, at }]
  })
}

function listOthers(pages: readonly LiveVisa[], named: ReadonlySet<LiveVisa>): readonly ListedVisa[] {
  return pages
    .filter(page => !named.has(page))
    .sort((one, other) => one.body.title.localeCompare(other.body.title))
    .map(page => toListed(page, { id: page.documentId, isOnHome: true }, null))
}

function toListed(
  page: LiveVisa,
  { id, isOnHome }: Pick<Place, 'id' | 'isOnHome'>,
  at: number | null,
): ListedVisa {
  const { title, description, cardTitle, cardText, ...body } = page.body
  return { ...body, id, isOnHome, title: cardTitle ?? title, text: cardText ?? description, page, at }
}

function visaPages(documents: Live['documents']): readonly LiveVisa[] {
  return [...documents.values()].flatMap(document => {
    const { content, documentId, path } = document
    return content.kind === 'visa' ? [{ documentId, path, body: content.body }] : []
  })
}

/** The page at each place: the one that it names, and of a description the one of the same subclasses. Each page once. */
function placePages(places: readonly Place[], pages: readonly LiveVisa[], redirects: Live['redirects']) {
  const left = new Map(pages.map(page => [page.path, page]))
  const placed = new Map<number, LiveVisa>()
  function put(at: number, page: LiveVisa | undefined) {
    if (!page) return
    placed.set(at, page)
    left.delete(page.path)
  }
  for (const [at, place] of places.entries())
    if (place.kind === 'page') put(at, left.get(place.path) ?? left.get(redirects.get(place.path) ?? ''))
  for (const keyOf of [namesOf, numberKeyOf]) {
    if (left.size === 0) break
    const alike = Map.groupBy(left.values(), ({ body }) => keyOf(body))
    const described = places.flatMap((place, at) =>
      place.kind === 'described' && !placed.has(at) ? [{ at, key: keyOf(place) }] : [],
    )
    // Streams share a number: a page of it is of none of them in particular.
    for (const [key, [first, ...others]] of Map.groupBy(described, each => each.key))
      if (first && others.length === 0) put(first.at, alike.get(key)?.[0])
  }
  return placed
}

export interface Subclasses {
  readonly subclasses: readonly { readonly name: string; readonly numbers: readonly string[] }[]
}

export function numbersOf({ subclasses }: Subclasses): readonly string[] {
  return [...new Set(subclasses.flatMap(({ numbers }) => numbers))]
}

const namesOf = ({ subclasses }: Subclasses) =>
  JSON.stringify(subclasses.map(({ name, numbers }) => [name, numbers]))

const numberKeyOf = (visa: Subclasses) => numbersOf(visa).toSorted().join(' ')

/** Whether each of its subclasses also has a description of its own, so that this one only repeats them. */
export function isCovered(visa: Subclasses, all: readonly Subclasses[]): boolean {
  const alone = describedAlone.get(all) ?? findDescribedAlone(all)
  describedAlone.set(all, alone)
  const numbers = numbersOf(visa)
  return numbers.length > 1 && numbers.every(number => alone.has(number))
}

/** Once for a list: for each visa of it again, a page of two hundred takes half a second. */
const describedAlone = new WeakMap<readonly Subclasses[], ReadonlySet<string>>()

function findDescribedAlone(all: readonly Subclasses[]): ReadonlySet<string> {
  return new Set(all.map(numbersOf).flatMap(numbers => (numbers.length === 1 ? numbers : [])))
}

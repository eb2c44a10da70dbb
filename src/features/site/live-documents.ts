import type { LiveDocument } from '../../content/store.server.ts'
import type { SiteSettings } from './site-settings.ts'

type Live = Pick<SiteSettings['live'], 'documents'>
type Kind = LiveDocument['content']['kind']
type OfKind<K extends Kind> = LiveDocument & { readonly body: BodyOf<K> }
type BodyOf<K extends Kind> = Extract<LiveDocument['content'], { kind: K }>['body']

export type LiveArticle = OfKind<'article'>
export type LiveVisa = OfKind<'visa'>

/** Newest first. Those that the installation came with are the oldest. */
export function listArticles({ documents }: Live): readonly LiveArticle[] {
  return [...documents.values()]
    .flatMap(document => {
      const { content } = document
      return content.kind === 'article' ? [{ ...document, body: content.body }] : []
    })
    .sort((one, other) => (other.publishedAt ?? '').localeCompare(one.publishedAt ?? ''))
}

/** By title. */
export function listVisas({ documents }: Live): readonly LiveVisa[] {
  return [...documents.values()]
    .flatMap(document => {
      const { content } = document
      return content.kind === 'visa' ? [{ ...document, body: content.body }] : []
    })
    .sort((one, other) => one.body.title.localeCompare(other.body.title))
}

export interface Subclasses {
  readonly subclasses: readonly { readonly name: string; readonly numbers: readonly string[] }[]
}

/** Each subclass once. */
export function numbersOf({ subclasses }: Subclasses): readonly string[] {
  return [...new Set(subclasses.flatMap(({ numbers }) => numbers))]
}

/** Subclass numbers that are named in a list; family visas have twenty. */
const NAMED = 4

/** The first of them, and how many are left out. */
export function namedNumbers(visa: Subclasses) {
  const numbers = numbersOf(visa)
  return { named: numbers.slice(0, NAMED), others: Math.max(0, numbers.length - NAMED) }
}

/** Two numbers that stand for many, one of each name, and how many are left out. */
export function leadingNumbers(visa: Subclasses) {
  const numbers = numbersOf(visa)
  const leading = new Set(visa.subclasses.flatMap(({ numbers: [first] }) => first ?? []))
  const named = numbers.length <= NAMED ? numbers : [...leading].slice(0, 2)
  return { named, others: numbers.length - named.length }
}

/** Whether each of its subclasses also has a description of its own, so that this one only repeats them. */
export function isCovered(visa: Subclasses, all: readonly Subclasses[]): boolean {
  const alone = new Set(all.map(numbersOf).flatMap(numbers => (numbers.length === 1 ? numbers : [])))
  const numbers = numbersOf(visa)
  return numbers.length > 1 && numbers.every(number => alone.has(number))
}

/** Whether two descriptions are of the same visa: they share a subclass. */
export function isAboutSame(one: Subclasses, other: Subclasses): boolean {
  const numbers = new Set(numbersOf(one))
  return numbersOf(other).some(number => numbers.has(number))
}

/** The page about a category: of those that share a subclass with it, the one whose list differs least. */
export function findVisaPage(live: Live, category: Subclasses): LiveVisa | undefined {
  const listed = (visa: Subclasses) => visa.subclasses.map(({ name, numbers }) => `${name} ${numbers}`)
  const wanted = new Set(listed(category))
  function differences({ body }: LiveVisa) {
    const own = listed(body)
    return own.length + wanted.size - 2 * own.filter(entry => wanted.has(entry)).length
  }
  const pages = listVisas(live).filter(({ body }) => isAboutSame(body, category))
  return pages.sort((one, other) => differences(one) - differences(other))[0]
}

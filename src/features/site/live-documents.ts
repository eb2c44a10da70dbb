import { folders } from '../../content/reserved-paths.ts'
import type { LiveDocument } from '../../content/store.server.ts'
import { numbersOf, type Subclasses } from '../../content/visas.ts'
import type { SiteSettings } from './site-settings.ts'

type Live = Pick<SiteSettings['live'], 'documents'>
type Kind = LiveDocument['content']['kind']
type OfKind<K extends Kind> = LiveDocument & { readonly body: BodyOf<K> }
type BodyOf<K extends Kind> = Extract<LiveDocument['content'], { kind: K }>['body']

export type LiveArticle = OfKind<'article'>

/** Newest first. Those that the installation came with are the oldest. */
export function listArticles({ documents }: Live): readonly LiveArticle[] {
  return [...documents.values()]
    .flatMap(document => {
      const { content } = document
      return content.kind === 'article' ? [{ ...document, body: content.body }] : []
    })
    .sort((one, other) => (other.publishedAt ?? '').localeCompare(one.publishedAt ?? ''))
}

/** The visa that such an address names. */
export function visaAsked({ documents }: Live, name: string | null) {
  const document = documents.get(folders.visa + name)
  return document?.content.kind === 'visa' ? document.content.body : null
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

import type { SiteBody } from '../../content/site-body.ts'
import { findVisaPage, listVisas, numbersOf } from './live-documents.ts'
import type { SiteSettings } from './site-settings.ts'

export type Questions = NonNullable<SiteBody['finderQuestions']>
type Answer = Questions[number]['answers'][number]

/** Visas of one plan: more would be a catalogue. */
const MAX_VISAS = 4

export interface FoundVisa {
  readonly number: string
  readonly name: string
  readonly description: string
  /** None while no page describes it. */
  readonly path: string | undefined
}

/**
 * The answers in a query, in the order of the questions. It is empty for the first answers, and unless the query answers
 * each question once and has nothing else: no other query is a page of its own.
 */
export function readPlan(questions: Questions = [], query: URLSearchParams): URLSearchParams {
  const isPlan =
    [...query].length === questions.length &&
    questions.every(({ id, answers }) => answers.some(answer => answer.id === query.get(id)))
  const isFirst = questions.every(({ id, answers }) => answers[0]?.id === query.get(id))
  const plan = new URLSearchParams()
  if (isPlan && !isFirst) for (const { id } of questions) plan.set(id, query.get(id) ?? '')
  return plan
}

/** The chosen answer of each question; the first one where the plan has none. */
export function answersOf(questions: Questions, plan: URLSearchParams): readonly Answer[] {
  return questions.flatMap(
    ({ id, answers }) => answers.find(answer => answer.id === plan.get(id)) ?? answers[0] ?? [],
  )
}

/** The visas to read about: what one of the answers names and none leaves out, as far as the site describes it as open. */
export function findVisas(answers: readonly Answer[], site: SiteSettings): readonly FoundVisa[] {
  const leftOut = new Set(answers.flatMap(answer => answer.leftOut))
  const named = new Set(answers.flatMap(({ visas }) => visas))
  return [...named]
    .filter(number => !leftOut.has(number))
    .flatMap(number => describeVisa(number, site) ?? [])
    .slice(0, MAX_VISAS)
}

function describeVisa(number: string, { content, live }: SiteSettings): FoundVisa | undefined {
  const pages = listVisas(live).map(({ body }) => body)
  const described = [...content.visaCategories, ...pages].find(
    visa => visa.programme.status === 'open' && numbersOf(visa).includes(number),
  )
  const name = described?.subclasses.find(({ numbers }) => numbers.includes(number))?.name
  if (!described || name === undefined) return undefined
  return { number, name, description: described.description, path: findVisaPage(live, described)?.path }
}

import type { SiteBody } from '../../../content/site-body.ts'
import { listVisas, numbersOf } from '../../../content/visas.ts'
import type { SiteSettings } from '../site-settings.ts'

export type Questions = NonNullable<SiteBody['finderQuestions']>
type Answer = Questions[number]['answers'][number]

/** Visas of one plan: more would be a catalogue. */
const MAX_VISAS = 4

export interface FoundVisa {
  readonly number: string
  readonly name: string
  /** None for one that another visa of the list has already. */
  readonly description: string | null
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
    .map((visa, at, all) => {
      const isSaid = all.slice(0, at).some(({ description }) => description === visa.description)
      return isSaid ? { ...visa, description: null } : visa
    })
}

export function askAboutPlan(answers: readonly Answer[]): string {
  return `/contact?form=visa-assessment&${planQuery(answers)}#get-in-touch`
}

/** Names the answers in the order of their questions, whose ids an editor chooses: they may mean something else there. */
export function planQuery(answers: readonly Answer[]): URLSearchParams {
  return new URLSearchParams(answers.map(({ id }) => ['plan', id]))
}

/** The answers that such a query names; null unless it has one for each question. */
export function answersAsked(questions: Questions = [], query: URLSearchParams): readonly Answer[] | null {
  const ids = query.getAll('plan')
  const asked = questions.flatMap(({ answers }, at) => answers.find(({ id }) => id === ids[at]) ?? [])
  return ids.length > 0 && asked.length === questions.length && asked.length === ids.length ? asked : null
}

/** A plan in the words of its answers, for the form: "in Australia, live with my partner, under 45, for good". */
export function describePlan(answers: readonly Answer[]): string {
  return answers.map(({ label }) => label).join(', ')
}

function describeVisa(number: string, { live }: SiteSettings): FoundVisa | undefined {
  const described = listVisas(live).find(
    visa => visa.programme.status === 'open' && numbersOf(visa).includes(number),
  )
  const name = described?.subclasses.find(({ numbers }) => numbers.includes(number))?.name
  if (!described || name === undefined) return undefined
  return { number, name, description: described.text, path: described.page?.path }
}

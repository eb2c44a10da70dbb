import * as z from 'zod/mini'
import { item, listOf } from './body-fields.ts'
import { OptionalText, Source, Text } from './schema.ts'

/** Questions of the visa finder, which are one sentence, and answers of each: more would be a form. */
const MAX_QUESTIONS = 4
const MAX_ANSWERS = 6
/** Each is two pages in the cache, with its visas and with the form. At 60 kB a page, they take three quarters of it. */
const MAX_COMBINATIONS = 100

const Subclasses = z.array(z.string().check(z.regex(/^\d{3}$/, 'A subclass has three digits')))

const Answer = item({
  label: Text,
  /** Subclasses to read about. */
  visas: Subclasses,
  /** Subclasses that are not shown with this answer, whatever the others say. */
  leftOut: Subclasses,
})

/** A part of the sentence "I am … and hope to …." */
const Question = item({
  before: Text,
  /** The first one is chosen until the visitor chooses. */
  answers: listOf(Answer).check(
    z.minLength(1, 'Write an answer'),
    z.maxLength(MAX_ANSWERS, `Write at most ${MAX_ANSWERS} answers`),
  ),
  /** What follows the answer, such as a full stop. */
  after: z.nullable(Text),
})

/** Where the answers' visas come from. Nothing is said of them but this, so that nobody reads a rule as advice. */
export const FinderSource = z.strictObject({
  asAt: z.iso.date('Give a date'),
  source: Source,
  /** Who of the agency has checked each answer. */
  checkedBy: OptionalText,
})

export const FinderQuestions = listOf(Question).check(
  z.maxLength(MAX_QUESTIONS, `Ask at most ${MAX_QUESTIONS} questions`),
  z.refine(
    questions => questions.reduce((product, { answers }) => product * answers.length, 1) <= MAX_COMBINATIONS,
    `Together these answers have more than ${MAX_COMBINATIONS} combinations: leave some out`,
  ),
)

import * as z from 'zod/mini'
import { CONTROL_CHARACTERS } from '../../../http/common-schemas.ts'
import { replies } from '../../../i18n/texts.ts'

/** Further answers of a visitor, by the name of the question: those of our forms, or of a program that sends enquiries. */

/** How many, and characters: our longest form asks five short questions, and staff read them all in one table. */
export const detailLimits = { count: 20, name: 40, answer: 200 }

/** A name starts with a letter, so `__proto__` is none, and has nothing that changes the direction of a text. */
const NAME = /^\p{L}[\p{L}\p{M}\p{N} _-]*$/u

const Name = z.string().check(z.maxLength(detailLimits.name), z.regex(NAME))

const Answer = z.string(replies.details).check(
  z.trim(),
  z.overwrite(text => text.toWellFormed()),
  z.maxLength(detailLimits.answer, replies.detailTooLong),
  z.refine(text => !CONTROL_CHARACTERS.test(text), replies.detailLines),
)

/** Browsers send what is left empty, too: that counts as not given. */
export const Details = z.record(Name, Answer, replies.details).check(
  z.overwrite(details => Object.fromEntries(Object.entries(details).filter(([, answer]) => answer))),
  z.refine(details => Object.keys(details).length <= detailLimits.count, replies.tooManyDetails),
)
export type Details = z.output<typeof Details>

/** As staff read them: label and answer. A name that no form of ours has is in quotes, so that it passes for nothing else. */
export function describeDetails(details: Details, labels: Readonly<Record<string, string>>) {
  return Object.entries(details).map(
    ([name, answer]) => [Object.hasOwn(labels, name) ? (labels[name] ?? name) : `“${name}”`, answer] as const,
  )
}

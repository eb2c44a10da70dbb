import { type Texts, textsFor } from '../../src/i18n/texts.ts'

/** A language in which every text is the English one in brackets, so that a text in no brackets is seen to be left out. */
export const madeUp: Texts = {
  ...bracket(textsFor('en')),
  lang: 'en-x-brackets',
  direction: 'rtl',
  // What these get is no text of somebody else's.
  date: isoDate => `[${textsFor('en').date(isoDate)}]`,
  time: (moment, timeZone) => `[${textsFor('en').time(moment, timeZone)}]`,
  day: (moment, timeZone) => `[${textsFor('en').day(moment, timeZone)}]`,
  list: items => `[${textsFor('en').list(items)}]`,
}

/** What is left of a text once the texts of the made-up language are taken out. */
export function withoutBrackets(text: string): string {
  return text.replace(/\[[^[\]]*\]/g, ' ')
}

function bracket<Value>(value: Value): Value
function bracket(value: unknown): unknown {
  if (typeof value === 'string') return bracketText(value)
  if (typeof value === 'function') return bracketResult(args => value(...args))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bracket(each)]))
}

/** Leaves the values of a text outside the brackets: they may be texts that were left out. */
function bracketResult(make: (args: readonly unknown[]) => unknown) {
  return (...args: unknown[]) => {
    const marked = args.map((arg, index) => (isValue(arg) ? `\0${index}\0` : arg))
    const fill = (text: string) => bracketText(text.replace(/\0(\d)\0/g, (_, index) => `]${args[index]}[`))
    const result = make(marked)
    if (typeof result === 'string') return fill(result)
    return Array.isArray(result) ? result.map(each => (typeof each === 'string' ? fill(each) : each)) : result
  }
}

const isValue = (arg: unknown) => typeof arg === 'string' || typeof arg === 'number'

function bracketText(text: string): string {
  return `[${text}]`.replaceAll('[]', '')
}

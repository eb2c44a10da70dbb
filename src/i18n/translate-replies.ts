import { replies, type Texts } from './texts.ts'

/** Each reply of the API that has another text in this language, with that text. In English there is none. */
export function translateReplies(texts: Texts): Readonly<Record<string, string>> {
  const own = new Map(Object.entries(texts.replies))
  const pairs = Object.entries(replies).map(([name, reply]) => [reply, own.get(name) ?? reply] as const)
  return Object.fromEntries(pairs.filter(([reply, text]) => reply !== text))
}

interface Colleague {
  readonly id: string
  readonly name: string
}

/** What stands after each `@` of a note. */
export interface Mentions {
  /** The ids of those who are named. */
  readonly named: readonly string[]
  /** Words that are nobody's name, as they are written. */
  readonly unknown: readonly string[]
  /** First names that several have. */
  readonly shared: readonly string[]
}

/** The colleagues whom a note names: `@` and the whole name, or the first part of it where no other has the same. */
export function findMentions(note: string, colleagues: readonly Colleague[]): Mentions {
  const folded = colleagues.map(({ id, name }) => ({ id, text: fold(name) }))
  const firsts = Map.groupBy(folded, ({ text }) => text.split(' ')[0] ?? '')
  const alone = [...firsts].flatMap(([text, [one, ...others]]) =>
    one && others.length === 0 ? [{ id: one.id, text }] : [],
  )
  // Of `@Ana Lima`, an `Ana` is not meant.
  const names = [...folded, ...alone].sort((one, other) => other.text.length - one.text.length)
  const [named, unknown, shared] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const parts = note.normalize('NFKC').split(NAMES)
  for (const part of parts.slice(1, MAX_MENTIONS + 1)) {
    const rest = fold(part)
    const isNamed = (text: string) => rest.startsWith(text) && !GOES_ON.test(rest.slice(text.length))
    const longest = names.find(({ text }) => text !== '' && isNamed(text))?.text
    for (const { id, text } of names) if (text === longest) named.add(id)
    const [word] = longest === undefined ? (WORD.exec(part) ?? []) : []
    if (word) (firsts.has(fold(word)) ? shared : unknown).add(word)
  }
  return { named: [...named], unknown: [...unknown], shared: [...shared] }
}

/** What to say to somebody whose note names people in vain; empty where nothing is wrong. */
export function describeUnknown({ unknown, shared }: Mentions): string {
  const list = (words: readonly string[]) => words.map(word => `@${word}`).join(' or ')
  return [
    ...(unknown.length > 0 ? [`Nobody here is called ${list(unknown)}, so nobody gets a notice of it.`] : []),
    ...(shared.length > 0 ? [`Several colleagues are called ${list(shared)}: write the whole name.`] : []),
  ].join(' ')
}

const fold = (text: string) => text.normalize('NFKC').toLocaleLowerCase('en')

/** The `@` of a name; that of an address has something before it. */
const NAMES = /(?<![\p{L}\p{N}._%+-])@/u
/** Of a longer name. */
const GOES_ON = /^[\p{L}\p{M}\p{N}]/u
/** The beginning of what may be a name, without the `’s` after it. */
const WORD = /^\p{L}[\p{L}\p{M}\p{N}]*(?:['’-][\p{L}\p{M}\p{N}]{2,})*/u
/** Each `@` of a note that may be that of a name. */
const MAX_MENTIONS = 200

import { isolateBidi } from '../list/format.ts'

/** Written before a name, and no part of it. */
const TITLE = /^(?:dr|mr|mrs|ms|miss|mx|prof|professor|sir|madam)\.?$/iu

/** What a person is called in a short label. */
export function firstName(name: string): string {
  const words = name.trim().split(/\s+/u)
  return isolateBidi((words.length > 1 ? words.find(word => !TITLE.test(word)) : words[0]) || name)
}

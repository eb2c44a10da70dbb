import type { FirstSite } from '../../src/content/first-content.server.ts'
import { SiteBody } from '../../src/content/site-body.ts'
import { sampleContent } from '../../src/sample/site.server.ts'

/** Texts that are one of a few, and so remain. */
const choices = ['kind', 'status', 'image', 'service', 'state']

/** The sample with every other text replaced by `differ`. */
export const otherContent: FirstSite = {
  site: SiteBody.parse(differFrom(sampleContent.site)),
  facts: sampleContent.facts.map(fact => ({
    ...fact,
    name: differ(fact.name),
    value: differ(fact.value),
    asAt: '2019-03-04',
    source: { label: differ(fact.source.label), url: differ(fact.source.url) },
  })),
}

/** A text of the same form with other characters. An address or a number is still one. */
export function differ(text: string): string {
  const scheme = /^https:\/\//.exec(text)?.[0] ?? ''
  return scheme + text.slice(scheme.length).replace(/[a-z\d]/gi, nextCharacter)
}

/** ROT13, and the next digit for a digit. */
function nextCharacter(character: string): string {
  if (/\d/.test(character)) return String((Number(character) + 1) % 10)
  const first = character < 'a' ? 'A'.charCodeAt(0) : 'a'.charCodeAt(0)
  return String.fromCharCode(first + ((character.charCodeAt(0) - first + 13) % 26))
}

function differFrom(value: unknown, key = ''): unknown {
  if (key === 'timeZone') return 'Australia/Perth'
  if (key === 'opens') return '08:15'
  if (key === 'closes') return '16:45'
  if (key === 'asAt' || key === 'closedAfter') return '2019-03-04'
  if (typeof value === 'string') return choices.includes(key) ? value : differ(value)
  if (typeof value === 'number') return value + 1
  // The days of the opening hours have fixed names.
  if (Array.isArray(value)) return key === 'days' ? value : value.map(each => differFrom(each, key))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, differFrom(each, name)]))
}

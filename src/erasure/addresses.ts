import { canonicalEmail } from '../auth/staff-email.ts'

/** In place of an address in a text. */
export const ERASED = '[erased]'

/**
 * An email address with all that may belong to it: what the forms accept, and words in any alphabet. It begins where a
 * word does, so that a long word takes linear time.
 */
const ADDRESS = /(?<![\p{L}\p{N}_'+.-])[\p{L}\p{N}_'+.-]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?/gu

/** Two spellings of one address have the same: case, width, and a domain in its own alphabet or in punycode. */
export function comparableAddress(address: string): string {
  const lower = address.toLowerCase()
  if (/^[\0-\x7f]*$/.test(lower)) return lower
  const canonical = canonicalEmail(lower)
  return canonical.endsWith('@') ? lower : canonical
}

/** What every spelling of an address contains, for a search in a database, which knows only the case of ASCII. */
export function partOfAddress(address: string): string {
  const [local = '', domain = ''] = comparableAddress(address).split('@')
  const isPlain = (text: string) => /^[\0-\x7f]*$/.test(text)
  return `${isPlain(local) ? local : ''}@${isPlain(domain) && !domain.includes('xn--') ? domain : ''}`
}

/** The addresses that a text names. What stands before one, such as a quotation mark, may be a part of it or not. */
export function addressesIn(text: string): string[] {
  return [...text.matchAll(ADDRESS)].flatMap(({ 0: found, index }) => readingsOf(found, text[index - 1]))
}

/** Whether a text names one of these, in any case: an address as a whole, anything else anywhere. */
export function namesAny(text: string, names: readonly string[]): boolean {
  return namesOneOf(names)(text)
}

/** The same for many texts: the time that a text takes does not grow with the number of names. */
export function namesOneOf(names: readonly string[]): (text: string) => boolean {
  const lower = names.map(name => name.toLowerCase())
  const addresses = new Set(lower.filter(name => name.includes('@')).map(comparableAddress))
  const others = new Set(lower.filter(name => !name.includes('@')))
  const lengths = [...new Set([...others].map(({ length }) => length))]
  return text => {
    const searched = text.toLowerCase()
    const isAny = addressesIn(searched).some(address => addresses.has(comparableAddress(address)))
    return isAny || lengths.some(length => holdsPart(searched, length, others))
  }
}

/** @param parts of which those of this length are searched for */
function holdsPart(text: string, length: number, parts: ReadonlySet<string>): boolean {
  for (let end = length; end <= text.length; end++) if (parts.has(text.slice(end - length, end))) return true
  return false
}

/** Replaces the addresses that are erased. Longer ones that end with them stay. */
export function eraseAddresses(text: string, isErased: (address: string) => boolean): string {
  return text.replace(ADDRESS, (found: string, index: number) => {
    const address = readingsOf(found, text[index - 1]).find(isErased)
    return address === undefined ? found : found.slice(0, -address.length) + ERASED
  })
}

/** The same for the name of a file, where an address may have other words before it, and an ending or more after it. */
export function eraseAddressesInName(name: string, isErased: (address: string) => boolean): string {
  for (let at = name.indexOf('@'); at >= 0; at = name.indexOf('@', at + 1)) {
    const [before = ''] = /[^\s@]*$/.exec(name.slice(0, at)) ?? []
    const [after = ''] = /^[^\s@]*/.exec(name.slice(at + 1)) ?? []
    const marks = (text: string) => [...text.matchAll(/[^\p{L}\p{N}]/gu)].map(({ index }) => index)
    const starts = [0, ...marks(before).map(index => index + 1)].map(index => at - before.length + index)
    const ends = [after.length, ...marks(after)].map(index => at + 1 + index)
    const all = starts.flatMap(start => ends.map(end => ({ start, end })))
    const found = all.find(({ start, end }) => isErased(name.slice(start, end)))
    if (!found) continue
    name = name.slice(0, found.start) + ERASED + name.slice(found.end)
    at = found.start
  }
  return name
}

/** Each is an end of what was found. In JSON, a backslash and the next character are a line break or a tab. */
function readingsOf(found: string, before: string | undefined): string[] {
  const readings = before === '\\' ? [found, found.slice(1)] : [found]
  return [...new Set(readings.flatMap(it => [it, it.replace(/^['_+.-]+/, '')]))]
}

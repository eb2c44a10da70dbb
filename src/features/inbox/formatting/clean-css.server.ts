import { takeTurns } from '../../../platform/turns.ts'

const words = (text: string) => new Set(text.split(' '))

/** What text is written in, and how it is placed. None of them fetches anything with the values below. */
const PROPERTIES = words(
  'background background-color border border-bottom border-bottom-color border-bottom-left-radius border-bottom-right-radius ' +
    'border-bottom-style border-bottom-width border-collapse border-color border-left border-left-color border-left-style ' +
    'border-left-width border-radius border-right border-right-color border-right-style border-right-width border-spacing ' +
    'border-style border-top border-top-color border-top-left-radius border-top-right-radius border-top-style border-top-width ' +
    'border-width box-sizing caption-side clear color direction display empty-cells float font font-family font-size font-style ' +
    'font-variant font-weight height letter-spacing line-height list-style-position list-style-type margin margin-bottom ' +
    'margin-left margin-right margin-top max-height max-width min-height min-width opacity overflow-wrap padding padding-bottom ' +
    'padding-left padding-right padding-top table-layout text-align text-decoration text-indent text-transform unicode-bidi ' +
    'vertical-align visibility white-space width word-break word-spacing word-wrap',
)
/** All others could name something to fetch, now or in a later browser. */
const FUNCTIONS = words('rgb rgba hsl hsla calc')
const VALUE = /^[\p{L}\p{N}\s#%.,'"()+*/!_-]{1,500}$/u
const SELECTOR = /^[\w\s.#,>+~*:()-]{1,1000}$/
/** More than a mail needs. */
const MAX_RULES = 2000
/** Characters of the declarations of one element or rule, which are read in one turn. */
const MAX_DECLARATIONS = 4000
/** To look at the clock takes a part of what so many take. */
export const CHARACTERS_BETWEEN_TURNS = 1000

/**
 * What can hide a word: a comment, and a backslash, with which any character can be written in another way. Without `<` nothing ends
 * the element that it stands in.
 */
const plain = (css: string) => css.replace(/<!--|-->|[\\<]/g, '').replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')

/** @param css of the attribute `style`, decoded */
export function cleanDeclarations(css: string): string {
  if (css.length > MAX_DECLARATIONS) return ''
  return plain(css)
    .split(';')
    .flatMap(declaration => {
      const colon = declaration.indexOf(':')
      const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
      const value = declaration.slice(colon + 1).trim()
      return PROPERTIES.has(name) && isHarmless(value) ? [`${name}:${value}`] : []
    })
    .join(';')
}

function isHarmless(value: string): boolean {
  if (!VALUE.test(value)) return false
  const isPaired = ['"', "'"].every(mark => value.split(mark).length % 2 === 1)
  // Not by one pattern, which would read a long name again from each of its characters.
  const functions = value.split('(').slice(0, -1).map(endingName)
  const ends = value.split(')').length - 1
  return (
    isPaired &&
    functions.length === ends &&
    functions.every(name => name === '' || FUNCTIONS.has(name.toLowerCase()))
  )
}

const endingName = (text: string) =>
  text
    .trimEnd()
    .split(/[^\p{L}\p{N}_-]/u)
    .at(-1) ?? ''

/**
 * The plain rules of a style sheet. What begins with an @ is left out: an import, a typeface, and what holds only for a phone, for
 * paper or for dark colours. Of a long sheet, others are served in between.
 */
export async function cleanSheet(css: string): Promise<string> {
  const turn = await takeTurns()
  const text = plain(css)
  const rules: string[] = []
  let [depth, start, body] = [0, 0, 0]
  for (let at = 0; at < text.length && rules.length < MAX_RULES; at++) {
    if (at % CHARACTERS_BETWEEN_TURNS === 0) await turn()
    const character = text[at]
    if (character === ';' && depth === 0) start = at + 1
    if (character === '{' && depth++ === 0) body = at + 1
    if (character !== '}' || depth === 0 || --depth > 0) continue
    const selector = text.slice(start, body - 1).trim()
    const declarations = SELECTOR.test(selector) ? cleanDeclarations(text.slice(body, at)) : ''
    if (declarations) rules.push(`${selector}{${declarations}}`)
    start = at + 1
  }
  return rules.join('\n')
}

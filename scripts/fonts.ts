import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont from 'subset-font'

/**
 * Cuts the typefaces to what a page in English shows first, into src/ui/fonts. The files are checked in, so a build
 * needs no tools for fonts; run this after changing a typeface. Accented characters come from the whole typeface, which
 * a browser fetches only for a page that has some. `npm run fonts`
 */
const FOLDER = 'src/ui/fonts'
/** Headings have one weight. With more than one their file outgrows what a server sends before it hears back. */
const weights = { fraunces: 560, newsreader: 560, nunito: 700, 'public-sans': { min: 400, max: 600 } }
/** Bytes: what a slow line that several files share brings in two round trips, less the headers of the reply. */
const TWO_ROUND_TRIPS = 11_200

/** Without GDEF, every weight has the same kerning. (The package's types lack this option.) */
const needless = { dropTables: ['GDEF'] }

const ascii = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index))
/** In programs rather than in prose. src/ui/styles/tokens.css names these, among others, as the ranges of the whole typeface. */
const prose = ascii.replaceAll(/[[\]\\^`{|}~]/g, '')
const punctuation = '\u00a0©·×–—‘’“”•…→'

for (const [name, wght] of Object.entries(weights)) {
  const source = join('node_modules/@fontsource-variable', name)
  const whole = readFileSync(join(source, 'files', `${name}-latin-wght-normal.woff2`))
  const part = await subsetFont(whole, prose + punctuation, {
    targetFormat: 'woff2',
    variationAxes: { wght },
    // Leaves out glyphs that only OpenType features would show.
    noLayoutClosure: true,
    ...needless,
  })
  if (part.length > TWO_ROUND_TRIPS)
    throw new Error(`${name} has ${part.length} bytes, at most ${TWO_ROUND_TRIPS}`)
  writeFileSync(join(FOLDER, `${name}.woff2`), part)
  copyFileSync(join(source, 'LICENSE'), join(FOLDER, `${name}.LICENSE`))
  process.stdout.write(`${name}: ${whole.length} bytes, of which ${part.length} are needed at first\n`)
}

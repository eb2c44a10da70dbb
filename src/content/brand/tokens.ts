import { contrast, fit, holdsOn, mix, readColour, shade } from './colours.ts'

/**
 * The colours of a page, derived from two. Each takes the owner's own where it holds on every ground on which it stands, and
 * elsewhere the nearest shade that does. Names are those of `ui/styles/tokens.css`.
 */

/** Of texts, and of what marks a control or a state. */
export const TEXT = 4.5
export const CONTROL = 3

/** What the product comes with: `ui/styles/tokens.css` and `ui/styles/staff-tokens.css` have the same values. */
export const own = {
  main: '#1f6f5c',
  band: '#0f2e3d',
  accent: '#e9b44c',
  white: '#ffffff',
  sandstone: '#f7f3ec',
  ocean: '#0f2e3d',
} as const

/** What texts of the brand stand on, beside its own colours. */
export const grounds = {
  site: ['#ffffff', '#f7f3ec'],
  /** With a warning and a note. */
  staff: ['#ffffff', '#f7f3ec', '#faecc8', '#fdf4dd'],
  dark: ['#0d1f29', '#14303d', '#1a3a48', '#0a1921', '#40330f', '#302710'],
} as const
const DARK_GROUND = '#0d1f29'
const DARK_INK = '#08161d'

export type PageKind = 'site' | 'staff'
export type Tokens = Readonly<Record<string, string>>

interface Brand {
  readonly main?: string | undefined
  readonly accent?: string | undefined
}

/** Properties of `:root` by day, and those that differ in the dark colours of the portal. Empty without a colour. */
export function brandTokens(brand: Brand, kind: PageKind): { readonly light: Tokens; readonly dark: Tokens } {
  const [main, accent] = [readColour(brand.main), readColour(brand.accent)]
  if (!main && !accent) return { light: {}, dark: {} }
  const light = main ? mainTokens(main, kind) : {}
  const dark = main && kind === 'staff' ? darkTokens(main) : {}
  const band = light['--band'] ?? own.band
  const fill = light['--fill'] ?? own.main
  const accents = accentTokens(accent ?? own.accent, [band, fill], kind)
  const mark = fit(accent ?? own.accent, 'lighter', it => holdsOn(it, grounds.dark, CONTROL))
  return {
    light: { ...light, ...accents },
    dark: kind === 'staff' ? { ...dark, '--accent-mark': mark } : {},
  }
}

/** @param main a colour */
function mainTokens(main: string, kind: PageKind): Tokens {
  const fill = fillOf(main)
  const [selected, reply] = [mix(main, own.white, 0.11), mix(main, own.white, 0.08)]
  const tints = kind === 'staff' ? [selected, reply] : []
  // Marks and labels stand on a tint of the colour itself.
  const tint = (it: string) => (kind === 'staff' ? [mix(it, own.white, 0.16)] : [])
  const action = fit(main, 'darker', it => holdsOn(it, [...grounds[kind], ...tints, ...tint(it)], TEXT))
  return {
    '--eucalyptus': action,
    '--eucalyptus-deep': shade(action, -8),
    '--fill': fill,
    '--band': fill,
    '--mist': fit(mix(own.white, fill, 0.8), 'lighter', it => contrast(it, fill) >= TEXT),
    '--ocean-line': mix(own.white, fill, 0.18),
    '--course': mix(own.white, fill, 0.45),
    '--band-mark': mix(own.white, fill, 0.45),
    ...(kind === 'staff' && {
      '--selected': selected,
      '--reply': reply,
      '--reply-edge': mix(main, own.white, 0.45),
    }),
  }
}

/** The ground of buttons, and of the top and the foot of pages. */
function fillOf(main: string): string {
  return fit(main, 'darker', it => contrast(own.white, it) >= TEXT)
}

/** @param under what accents stand on, beside the grounds of a page */
function accentTokens(accent: string, under: readonly string[], kind: PageKind): Tokens {
  const wattle = fit(accent, 'lighter', it => holdsOn(it, under, CONTROL))
  const onAccent = inkOn(wattle)
  return {
    '--wattle': wattle,
    '--wattle-deep': shade(wattle, onAccent === own.white ? -6 : 6),
    '--on-accent': onAccent,
    '--accent-mark': fit(accent, 'darker', it => holdsOn(it, grounds[kind], CONTROL)),
  }
}

/** The first that can be read on a colour. Black or white always can. */
function inkOn(colour: string): string {
  const holds = (ink: string) => contrast(ink, colour) >= TEXT
  return [own.ocean, own.white].find(holds) ?? '#000000'
}

function darkTokens(main: string): Tokens {
  const tintsOf = (it: string) => [
    mix(it, DARK_GROUND, 0.16),
    mix(it, DARK_GROUND, 0.14),
    ...[selectedIn(it), replyIn(it)],
  ]
  const action = fit(main, 'lighter', it => holdsOn(it, [...grounds.dark, ...tintsOf(it)], TEXT))
  return {
    '--action': action,
    '--action-deep': shade(action, 8),
    '--on-action': DARK_INK,
    '--fill': action,
    '--selected': selectedIn(action),
    '--reply': replyIn(action),
    '--reply-edge': mix(action, DARK_GROUND, 0.5),
  }
}

const selectedIn = (action: string) => mix(action, DARK_GROUND, 0.14)
const replyIn = (action: string) => mix(action, DARK_GROUND, 0.12)

/** Of the emails of an agency. Null for those of the product. */
export function emailColours(brand: Brand | undefined) {
  const main = readColour(brand?.main)
  if (!main) return null
  const link = mainTokens(main, 'site')['--eucalyptus'] ?? main
  return { edge: fillOf(main), link, dark: darkTokens(main)['--action'] ?? link }
}

/** One use of a colour, as the screen of the brand shows it. */
export interface Use {
  readonly label: string
  /** Of the owner's own colour. */
  readonly contrast: number
  readonly least: number
  /** What stands there: the owner's own where it holds. */
  readonly used: string
  readonly contrastOfUsed: number
}

/** Where the public pages use the main colour. */
export function usesOfMain(main: string): readonly Use[] {
  const { light } = brandTokens({ main }, 'site')
  const action = light['--eucalyptus'] ?? main
  return [
    describeUse('White on it', main, light['--fill'] ?? main, own.white, TEXT),
    describeUse('On white', main, action, own.white, TEXT),
    describeUse('On the sand-coloured ground', main, action, own.sandstone, TEXT),
  ]
}

/** Where they use the accent. */
export function usesOfAccent(brand: Brand): readonly Use[] {
  const accent = readColour(brand.accent) ?? own.accent
  const { light } = brandTokens(brand, 'site')
  const mark = light['--accent-mark'] ?? accent
  return [
    describeUse('Border on white', accent, mark, own.white, CONTROL),
    describeUse('Border on the sand-coloured ground', accent, mark, own.sandstone, CONTROL),
    describeUse(
      'On the main colour',
      accent,
      light['--wattle'] ?? accent,
      light['--band'] ?? own.band,
      CONTROL,
    ),
  ]
}

function describeUse(label: string, colour: string, used: string, ground: string, least: number): Use {
  return {
    ...{ label, least, used },
    contrast: contrast(colour, ground),
    contrastOfUsed: contrast(used, ground),
  }
}

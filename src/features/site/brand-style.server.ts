import { createHash } from 'node:crypto'
import { type Brand, type FontName, pairings } from '../../content/brand/brand.ts'
import { brandTokens, own, type PageKind, type Tokens } from '../../content/brand/tokens.ts'
import { PICTURE_ID } from '../../content/picture-use.ts'
import { logoUrl } from '../../pictures/sizes.ts'

/** What a document of an agency with a brand has beside that of any other. */
export interface BrandStyle {
  /** The text of a style element. It is made of colours that we have computed, and of nothing that somebody has typed. */
  readonly css: string
  /** By which a content security policy allows it, and no other. */
  readonly source: string
  /** Of the bar of a phone's browser. */
  readonly themeColour: string
  /** What the head asks for. */
  readonly fonts: readonly FontName[]
  /** Null without a logo. */
  readonly icons: BrandIcons | null
}

interface BrandIcons {
  /** For tabs, by their size. */
  readonly tab: Readonly<Record<16 | 32, string>>
  /** For the home screen of a phone. */
  readonly touch: string
  readonly app: Readonly<Record<192 | 512, string>>
}

const iconsOf = (id: string): BrandIcons => ({
  tab: { 16: logoUrl(id, 16), 32: logoUrl(id, 32) },
  touch: logoUrl(id, 180),
  app: { 192: logoUrl(id, 192), 512: logoUrl(id, 512) },
})

const made = new WeakMap<Brand, Map<PageKind, BrandStyle | null>>()

/** @returns null for an agency without a brand. A draft may have texts that are no colours: those count as none. */
export function brandStyle(brand: Brand | undefined, kind: PageKind): BrandStyle | null {
  if (!brand) return null
  const kinds = made.get(brand) ?? new Map<PageKind, BrandStyle | null>()
  made.set(brand, kinds)
  const known = kinds.get(kind)
  if (known !== undefined) return known
  const style = makeStyle(brand, kind)
  kinds.set(kind, style)
  return style
}

function makeStyle(brand: Brand, kind: PageKind): BrandStyle | null {
  const { light, dark } = brandTokens(brand, kind)
  const logo = PICTURE_ID.test(brand.logo?.picture ?? '') ? (brand.logo ?? null) : null
  const pairing = brand.pairing && brand.pairing !== 'harbour' ? pairings[brand.pairing] : null
  if (Object.keys(light).length === 0 && !logo && !pairing) return null
  const chevron =
    light['--eucalyptus'] && kind === 'site' ? { '--chevron': chevronOf(light['--eucalyptus']) } : {}
  const tokens = [
    rule({ ...light, ...chevron, ...(pairing && { '--serif': pairing.headings }) }),
    Object.keys(dark).length > 0 ? `${DARK}{${rule(dark)}}` : '',
  ].join('')
  const parts = [
    // In the layer of the tokens, so that print has the last word.
    tokens === '' ? '' : `@layer tokens{${tokens}}`,
    logo ? `@layer features{${logoRules(logo, kind)}}` : '',
  ]
  const css = parts.join('')
  const { fonts } = pairing ?? pairings.harbour
  const hash = createHash('sha256').update(css).digest('base64')
  return {
    css,
    fonts,
    source: `'sha256-${hash}'`,
    themeColour: light['--band'] ?? own.band,
    icons: logo && iconsOf(logo.picture),
  }
}

const DARK = '@media screen and (prefers-color-scheme:dark)'

/**
 * It takes the place of the mark wherever that is drawn, so that no page and no script needs to know of it. On a ground on which
 * it cannot be seen, it has one of its own.
 */
function logoRules({ picture, isLight }: NonNullable<Brand['logo']>, kind: PageKind): string {
  const image = `url(${logoUrl(picture, 64)}) center/contain no-repeat content-box`
  const plate = `padding:3px;border-radius:6px;background-color:${isLight ? own.ocean : own.white}`
  const mark = `.logo-mark{background:${image};print-color-adjust:exact}.logo-mark>*{display:none}`
  if (isLight) return `${mark}.header .logo-mark{${plate}}`
  return `${mark}.site-footer .logo-mark{${plate}}${kind === 'staff' ? `${DARK}{.logo-mark{${plate}}}` : ''}`
}

function rule(tokens: Tokens): string {
  if (Object.keys(tokens).length === 0) return ''
  const parts = Object.entries(tokens).map(([name, value]) => `${name}:${value}`)
  return `:root{${parts.join(';')}}`
}

/** `ui/styles/site-tokens.css` has the same in the colour of the product. */
function chevronOf(colour: string): string {
  const path = `fill='none' stroke='%23${colour.slice(1)}' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'`
  return `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='m3 6 5 5 5-5' ${path}/%3E%3C/svg%3E")`
}

import { createHash } from 'node:crypto'
import type { Brand } from './brand.ts'
import { brandTokens, own, type PageKind, type Tokens } from './tokens.ts'

/** What a document of an agency with a brand has beside that of any other. */
export interface BrandStyle {
  /** The text of a style element. It is made of colours that we have computed, and of nothing that somebody has typed. */
  readonly css: string
  /** By which a content security policy allows it, and no other. */
  readonly source: string
  /** Of the bar of a phone's browser. */
  readonly themeColour: string
}

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
  if (Object.keys(light).length === 0) return null
  const chevron =
    light['--eucalyptus'] && kind === 'site' ? { '--chevron': chevronOf(light['--eucalyptus']) } : {}
  const rules = [
    rule({ ...light, ...chevron }),
    Object.keys(dark).length > 0 && `@media screen and (prefers-color-scheme:dark){${rule(dark)}}`,
  ]
  // In the layer of the tokens, so that print has the last word.
  const css = `@layer tokens{${rules.filter(Boolean).join('')}}`
  const hash = createHash('sha256').update(css).digest('base64')
  return { css, source: `'sha256-${hash}'`, themeColour: light['--band'] ?? own.band }
}

function rule(tokens: Tokens): string {
  const parts = Object.entries(tokens).map(([name, value]) => `${name}:${value}`)
  return `:root{${parts.join(';')}}`
}

/** `ui/styles/site-tokens.css` has the same in the colour of the product. */
function chevronOf(colour: string): string {
  const path = `fill='none' stroke='%23${colour.slice(1)}' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'`
  return `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='m3 6 5 5 5-5' ${path}/%3E%3C/svg%3E")`
}

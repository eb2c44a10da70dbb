import * as z from 'zod/mini'
import { PICTURE_ID } from '../picture-use.ts'

/** An agency's own face: a part of the site document, and all of it may be missing. */

const Colour = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Give a colour such as #7A2E4A'))

/** Faces that ship with the product, by the names of their files in `ui/fonts`. */
export type FontName = 'fraunces' | 'newsreader' | 'nunito' | 'public-sans'

interface Pairing {
  readonly label: string
  /** Of headings, as `--serif`. All texts are in Public Sans. */
  readonly headings: string
  /** What a page shows first, which its head asks for. */
  readonly fonts: readonly FontName[]
  readonly description: string
  /** Kilobytes of those fonts. */
  readonly weight: number
}

export const pairingNames = ['harbour', 'ledger', 'gazette', 'signal'] as const
export type PairingName = (typeof pairingNames)[number]

/** Four ways to set headings. The first is what stands while nobody has chosen. */
export const pairings: Readonly<Record<PairingName, Pairing>> = {
  harbour: {
    label: 'Harbour',
    headings: '"Fraunces",Georgia,"Times New Roman",serif',
    fonts: ['fraunces', 'public-sans'],
    description: 'Fraunces and Public Sans',
    weight: 22,
  },
  ledger: {
    label: 'Ledger',
    headings: 'var(--sans)',
    fonts: ['public-sans'],
    description: 'Public Sans alone',
    weight: 11,
  },
  gazette: {
    label: 'Gazette',
    headings: '"Newsreader",Georgia,"Times New Roman",serif',
    fonts: ['newsreader', 'public-sans'],
    description: 'Newsreader, a book face, and Public Sans',
    weight: 22,
  },
  signal: {
    label: 'Signal',
    headings: '"Nunito",var(--sans)',
    fonts: ['nunito', 'public-sans'],
    description: 'Nunito, a round face, and Public Sans',
    weight: 19,
  },
}

const Logo = z.strictObject({
  /** A picture that was uploaded as a logo, so that it has its sizes. */
  picture: z.string().check(z.regex(PICTURE_ID, 'Choose a logo')),
  /** Whether it can be seen on dark grounds only. */
  isLight: z.optional(z.boolean()),
})

export const Brand = z.strictObject({
  logo: z.optional(Logo),
  /** Of typefaces. */
  pairing: z.optional(z.enum(pairingNames)),
  /** Buttons, links, the top and the foot of pages. */
  main: z.optional(Colour),
  /** Lines, marks, small icons. */
  accent: z.optional(Colour),
})
export type Brand = z.output<typeof Brand>

import * as z from 'zod/mini'
import { roles } from '../auth/permissions.ts'
import { replies } from '../i18n/texts.ts'

export const Empty = z.object({})

export const ById = z.strictObject({ id: z.uuid('There is no such id') })

export const Role = z.enum(roles)

export const User = z.object({ id: z.string(), email: z.string(), name: z.string(), role: Role })

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/

/**
 * Text on one line: trimmed, well-formed, without control characters, `min` to `max` characters long. Checks that are added
 * to it see no longer one.
 */
export function singleLine(min: number, tooShort: string, max: number, label: string) {
  return z.string(tooShort).check(
    z.trim(),
    z.overwrite(text => text.toWellFormed()),
    z.minLength(min, tooShort),
    z.maxLength(max, { error: `${label} must be at most ${max} characters`, abort: true }),
    z.refine(text => !CONTROL_CHARACTERS.test(text), `${label} must be on one line`),
  )
}

export const SearchWords = singleLine(1, 'Write what to look for', 200, 'The search')

export const StaffName = singleLine(3, 'Name must be at least 3 characters', 100, 'Name')

/** Characters that RFC 5321 allows in an address. */
export const MAX_EMAIL = 254

export const Email = z
  .string(replies.email)
  .check(z.trim(), z.maxLength(MAX_EMAIL, replies.email), z.email({ error: replies.email }))

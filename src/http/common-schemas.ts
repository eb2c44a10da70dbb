import * as z from 'zod/mini'
import { roles } from '../auth/permissions.ts'

/** Schemas that more than one contract uses. */

export const Empty = z.object({})

export const ById = z.strictObject({ id: z.uuid('There is no such id') })

export const Role = z.enum(roles)

export const User = z.object({ id: z.string(), email: z.string(), name: z.string(), role: Role })

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/

/** Text on one line: trimmed, well-formed, without control characters, `min` to `max` characters long. */
export function singleLine(min: number, tooShort: string, max: number, label: string) {
  return z.string(tooShort).check(
    z.trim(),
    z.overwrite(text => text.toWellFormed()),
    z.minLength(min, tooShort),
    z.maxLength(max, `${label} must be at most ${max} characters`),
    z.refine(text => !CONTROL_CHARACTERS.test(text), `${label} must be on one line`),
  )
}

/** The name of a member of staff. */
export const StaffName = singleLine(3, 'Name must be at least 3 characters', 100, 'Name')

export const EMAIL_MESSAGE = 'Please enter a valid email address'

/** RFC 5321 allows 254 characters in all. */
export const Email = z
  .string(EMAIL_MESSAGE)
  .check(z.trim(), z.maxLength(254, EMAIL_MESSAGE), z.email({ error: EMAIL_MESSAGE }))

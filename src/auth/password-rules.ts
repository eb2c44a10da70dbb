import * as z from 'zod/mini'
import { isCommonPassword } from './common-passwords.ts'

/** Characters. */
const MIN_LENGTH = 8
/** Characters; more would only cost time to hash. */
export const MAX_PASSWORD_LENGTH = 256

interface PasswordRule {
  readonly message: string
  isKept(password: string): boolean
}

/** What a new password must be, in the order in which people read it. */
export const passwordRules: readonly PasswordRule[] = [
  {
    message: 'Password must be at least 8 characters',
    isKept: password => password.length >= MIN_LENGTH,
  },
  {
    message: 'Password must contain at least one lowercase letter',
    isKept: password => /[a-z]/.test(password),
  },
  {
    message: 'Password must contain at least one uppercase letter',
    isKept: password => /[A-Z]/.test(password),
  },
  {
    message: 'Password must contain at least one number',
    isKept: password => /[0-9]/.test(password),
  },
  {
    message: 'Password must contain at least one special character',
    isKept: password => /[!@#$%^&*(),.?":{}|<>]/.test(password),
  },
  {
    message: 'Password must be at most 256 characters',
    isKept: password => password.length <= MAX_PASSWORD_LENGTH,
  },
  {
    message: 'Password must not be a common one that others would guess',
    isKept: password => !isCommonPassword(password),
  },
]

/** A password that someone chooses. Each rule that is broken has its own message. */
export const NewPassword = z
  .string('Password must be at least 8 characters')
  .check(...passwordRules.map(({ message, isKept }) => z.refine<string>(isKept, message)))

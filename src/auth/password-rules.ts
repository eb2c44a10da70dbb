import * as z from 'zod/mini'
import { isCommonPassword } from './common-passwords.ts'

/** Characters. */
const MIN_LENGTH = 8
/** Characters. A longer password would only take longer to hash. */
export const MAX_PASSWORD_LENGTH = 256

interface PasswordRule {
  readonly message: string
  /** Shown below the message, where that does not say what counts. */
  readonly hint?: string
  isSatisfiedBy(password: string): boolean
}

const SPECIAL_CHARACTERS = '!@#$%^&*(),.?":{}|<>'

/** The rules for a new password, in the order in which the form lists them. */
export const passwordRules: readonly PasswordRule[] = [
  {
    message: 'Password must be at least 8 characters',
    isSatisfiedBy: password => password.length >= MIN_LENGTH,
  },
  {
    message: 'Password must contain at least one lowercase letter',
    isSatisfiedBy: password => /[a-z]/.test(password),
  },
  {
    message: 'Password must contain at least one uppercase letter',
    isSatisfiedBy: password => /[A-Z]/.test(password),
  },
  {
    message: 'Password must contain at least one number',
    isSatisfiedBy: password => /[0-9]/.test(password),
  },
  {
    message: 'Password must contain at least one special character',
    hint: `One of ${[...SPECIAL_CHARACTERS].join(' ')}`,
    isSatisfiedBy: password => [...SPECIAL_CHARACTERS].some(character => password.includes(character)),
  },
  {
    message: 'Password must be at most 256 characters',
    isSatisfiedBy: password => password.length <= MAX_PASSWORD_LENGTH,
  },
  {
    message: 'Password must not be a common one that others would guess',
    isSatisfiedBy: password => !isCommonPassword(password),
  },
]

/** A newly chosen password. Each broken rule has its own message. */
export const NewPassword = z
  .string('Password must be at least 8 characters')
  .check(...passwordRules.map(({ message, isSatisfiedBy }) => z.refine<string>(isSatisfiedBy, message)))

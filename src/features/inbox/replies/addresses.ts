import * as z from 'zod/mini'
import { Email } from '../../../http/common-schemas.ts'
import { MAX_CC } from '../conversation/contract.ts'

/** The email addresses of a field in which somebody typed several. */
export function readAddresses(typed: string): string[] {
  return typed.split(/[\s,;]+/u).filter(Boolean)
}

/** What is wrong with the addresses of a field; undefined when nothing is. */
export function addressError(typed: string): string | undefined {
  const addresses = readAddresses(typed)
  const wrong = addresses.find(address => !z.safeParse(Email, address).success)
  if (wrong) return `${wrong} is not an email address`
  return addresses.length > MAX_CC ? `At most ${MAX_CC} people get a copy` : undefined
}

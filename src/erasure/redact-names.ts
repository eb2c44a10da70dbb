import type { LogRow } from '../database/tables.ts'
import { ERASED, eraseAddresses } from './addresses.ts'

/** Removes an erased person from a log entry about what staff did. @param names addresses, ids and references */
export function redactNames(
  { message, details }: Pick<LogRow, 'message' | 'details'>,
  names: readonly string[],
): Pick<LogRow, 'message' | 'details'> {
  const addresses = new Set(names.filter(isAddress).map(name => name.toLowerCase()))
  const text = `${message} ${details}`.toLowerCase()
  // Few of the thousands that a person may have.
  const others = names.filter(name => !isAddress(name) && text.includes(name.toLowerCase()))
  const redact = (part: string) => {
    const rest = eraseAddresses(part, address => addresses.has(address.toLowerCase()))
    return others.length > 0 ? rest.replace(anyOf(others), ERASED) : rest
  }
  return { message: redact(message), details: redact(details) }
}

const isAddress = (name: string) => name.includes('@')

const anyOf = (names: readonly string[]) =>
  new RegExp(names.map(name => name.replace(/\W/g, '\\$&')).join('|'), 'gi')

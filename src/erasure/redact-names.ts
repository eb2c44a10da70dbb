import type { LogRow } from '../database/tables.ts'

/** Removes an erased person from a log entry about what staff did. */
export function redactNames(
  { message, details }: Pick<LogRow, 'message' | 'details'>,
  names: readonly string[],
): Pick<LogRow, 'message' | 'details'> {
  const pattern = new RegExp(names.map(name => name.replace(/\W/g, '\\$&')).join('|'), 'gi')
  return { message: message.replace(pattern, '[erased]'), details: details.replace(pattern, '[erased]') }
}

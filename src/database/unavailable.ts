/** PostgreSQL: connection lost, out of resources, shutting down, no such database, cancelled by its time-out. */
const postgresCodes = /^(08...|53...|57P0.|57014|3D000)$/
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
])
/** SQLite result codes: BUSY, IOERR, FULL, CANTOPEN. */
const sqliteCodes = new Set([5, 10, 13, 14])
const driverMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout/

/** Whether the database could not do its work just now, so that the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  const isRefused = typeof code === 'string' && (postgresCodes.test(code) || networkCodes.has(code))
  const sqliteCode = 'errcode' in error ? error.errcode : undefined
  // The low byte is the result code, the rest says more of it.
  const isStuck = typeof sqliteCode === 'number' && sqliteCodes.has(sqliteCode & 0xff)
  return isRefused || isStuck || driverMessages.test(error.message)
}

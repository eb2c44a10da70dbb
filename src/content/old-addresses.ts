/**
 * Addresses that lead to what has another one now: of a page that was renamed, or of the site that an agency had before.
 * An address is the path, decoded and without a slash at the end; of its query only the number by which WordPress names
 * what has no path yet: `/?p=12`, also of `/index.php`.
 */

/** Characters. WordPress makes none longer than 200. */
export const MAX_OLD_ADDRESS = 300

const NUMBERED = /^\?(?:p|page_id)=(\d{1,10})$/
/** The query names the page of a program, so that its path alone would be the address of many. */
const PROGRAM = /\.(?:php|aspx?|jsp|cfm|cgi|pl)$/i
const NUMBER = /=\d/
/** What no request has once its address is parsed, or no person could see. */
const IMPOSSIBLE = /[\p{Cc}\p{Zl}\p{Zp}\\]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/u

/** What an address that somebody gives is kept as: `https://old.example/2021/fees/` → `/2021/fees`. @returns null if it can be none */
export function readOldAddress(written: string): string | null {
  const text = written.trim().replace(/^https?:\/\/[^/?#\s]+/i, '')
  const [, path = '', search = ''] = /^(\/[^?#]*)(\?[^#]*)?(?:#.*)?$/s.exec(text) ?? []
  const key = oldAddressOf(decode(path), search)
  const isPossible = key.length > 1 && key.length <= MAX_OLD_ADDRESS && key.isWellFormed()
  if (PROGRAM.test(key) && NUMBER.test(search)) return null
  return isPossible && !IMPOSSIBLE.test(key) ? key : null
}

/** Under which address a request is looked up. @param path decoded, as of a request */
export function oldAddressOf(path: string, search: string): string {
  const [, number] = ((path === '/' || path === '/index.php') && NUMBERED.exec(search)) || []
  if (number !== undefined) return `/?p=${number}`
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** As Hono decodes the path of a request: a `%25` stays what it is. */
function decode(path: string): string {
  try {
    return decodeURI(path.replaceAll('%25', '%2525'))
  } catch {
    return ''
  }
}

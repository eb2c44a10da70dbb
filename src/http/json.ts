import { throwHttpError } from './http-error.ts'

/** Deep enough for every endpoint; a body built to exhaust the stack is rejected before it is parsed. */
const MAX_DEPTH = 20
/** More than a change of all that it may change has; each costs some microseconds, for which everybody else waits. */
const MAX_KEYS = 6000

export type JsonObject = Record<string, unknown>

/**
 * Parses bytes as a JSON object. Stricter than `JSON.parse`, which accepts duplicate keys and any depth.
 * @param maxKeys in all of its objects @throws {HttpError} 400
 */
export function parseJsonObject(bytes: Uint8Array, maxKeys = MAX_KEYS): JsonObject {
  const text = decode(bytes)
  assertShallowAndUnique(text, maxKeys)
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throwBadJson()
  return value as JsonObject
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return throwBadJson()
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return throwBadJson()
  }
}

/**
 * Walks the tokens once. An unterminated string is matched to the end of the text, because searching for its end again
 * from every quote in it would take a second for 64 KiB. Text that is not JSON may pass here; the parser rejects it.
 */
function assertShallowAndUnique(text: string, maxKeys: number) {
  let keys = 0
  const open: (Set<string> | null)[] = []
  const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\]]/gs
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [mark] = token
    if (mark === '{') open.push(new Set())
    else if (mark === '[') open.push(null)
    else if (mark === '}' || mark === ']') open.pop()
    else if (isKey(text, tokens.lastIndex)) {
      addKey(open.at(-1), mark)
      keys++
    }
    if (open.length > MAX_DEPTH || keys > maxKeys) throwBadJson()
  }
}

function isKey(text: string, end: number): boolean {
  let next = end
  while (text[next] === ' ' || text[next] === '\n' || text[next] === '\t' || text[next] === '\r') next++
  return text[next] === ':'
}

function addKey(keys: Set<string> | null | undefined, quoted: string) {
  const key = String(parse(quoted))
  if (keys?.has(key)) throwBadJson()
  keys?.add(key)
}

function throwBadJson(): never {
  throwHttpError(400, 'The request is not a JSON object that can be read')
}

/**
 * Bytes of the texts in one page of a list, which has fewer rows than were asked for when they are long: to read, check and
 * write a mebibyte takes less than the 50 ms for which nothing may hold the event loop.
 */
export const MAX_PAGE_BYTES = 1024 * 1024

/** The rows that one page has room for: at least one, so that the next page begins behind it. */
export function fitPage<Row>(rows: readonly Row[], textOf: (row: Row) => string): Row[] {
  let bytes = 0
  const beyond = rows.findIndex((row, at) => {
    bytes += Buffer.byteLength(textOf(row))
    return bytes > MAX_PAGE_BYTES && at > 0
  })
  return beyond === -1 ? [...rows] : rows.slice(0, beyond)
}

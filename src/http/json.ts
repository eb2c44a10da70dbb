import { throwHttpError } from './http-error.ts'

/** Deep enough for every contract; a body built to exhaust the stack is refused before it is parsed. */
const MAX_DEPTH = 20

export type JsonObject = Record<string, unknown>

/**
 * Bytes → the object they spell. Stricter than `JSON.parse`, which takes the last of two equal keys and has no limit
 * of depth. @throws {Problem} 400
 */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  const text = decode(bytes)
  assertShallowAndUnique(text)
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) badJson()
  return value as JsonObject
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return badJson()
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return badJson()
  }
}

/**
 * Walks the tokens once: a string that never ends is taken to the end of the text, because to look for its end again
 * from every quote in it would take a second for 64 KiB. Text that is not JSON may pass here; the parser refuses it.
 */
function assertShallowAndUnique(text: string) {
  const open: (Set<string> | null)[] = []
  const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\]]/gs
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [mark] = token
    if (mark === '{') open.push(new Set())
    else if (mark === '[') open.push(null)
    else if (mark === '}' || mark === ']') open.pop()
    else if (isKey(text, tokens.lastIndex)) remember(open.at(-1), mark)
    if (open.length > MAX_DEPTH) badJson()
  }
}

function isKey(text: string, end: number): boolean {
  let next = end
  while (text[next] === ' ' || text[next] === '\n' || text[next] === '\t' || text[next] === '\r') next++
  return text[next] === ':'
}

function remember(keys: Set<string> | null | undefined, quoted: string) {
  const key = String(parse(quoted))
  if (keys?.has(key)) badJson()
  keys?.add(key)
}

function badJson(): never {
  throwHttpError(400, 'The request is not a JSON object that can be read')
}

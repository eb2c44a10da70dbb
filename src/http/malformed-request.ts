import type { ServerResponse } from 'node:http'
import { newId } from '../database/id.ts'
import { HttpError } from './http-error.ts'

export const MALFORMED_ADDRESS = 'This address cannot be read'

/** An error response for a request that could not be parsed. */
export function malformed(message: string) {
  const body = new HttpError(400, message).body(newId(new Date()))
  const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  return [body, { status: 400, headers: { ...headers, 'Content-Type': 'application/json' } }] as const
}

/** Sends 400. Without a message the request itself was malformed, so the rest of the connection cannot be trusted and is closed. */
export function respondMalformed(response: ServerResponse, message?: string): void {
  const [body, { status, headers }] = malformed(message ?? 'This request cannot be read')
  response.writeHead(status, message ? headers : { ...headers, Connection: 'close' })
  response.end(JSON.stringify(body))
}

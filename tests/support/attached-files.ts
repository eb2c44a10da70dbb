import assert from 'node:assert/strict'
import type { DraftFile } from '../../src/features/inbox/attachments/contract.ts'
import type { Colleague } from './conversation.ts'

/** No two bytes in a row are those of another place. */
export function bytesOf(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) * 7 + seed) & 255)
}

async function send(
  { browser }: Pick<Colleague, 'browser'>,
  method: string,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
) {
  const { csrfToken } = await (await browser.fetch('/api/csrf-token')).json()
  const all = { 'x-csrf-token': csrfToken, 'content-length': `${bytes.length}`, ...headers }
  return await browser.fetch(path, { method, headers: all, body: bytes })
}

/** The header with the name of a file. */
export const nameOf = (name: string) => `attachment; filename*=UTF-8''${encodeURIComponent(name)}`

/** Attaches a file to the draft of a reply, or its first bytes. */
export async function add(
  who: Pick<Colleague, 'browser'>,
  id: string,
  bytes: Uint8Array<ArrayBuffer>,
  { name = 'Form 888.pdf', ...headers }: Record<string, string> = {},
): Promise<Response> {
  const all = { 'content-disposition': nameOf(name), 'content-type': 'application/pdf', ...headers }
  return await send(who, 'POST', `/api/messages/${id}/attachments`, bytes, all)
}

/** Adds what comes next. */
export async function append(
  who: Colleague,
  id: string,
  fileId: string,
  offset: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const path = `/api/messages/${id}/attachments/${fileId}`
  return await send(who, 'PATCH', path, bytes, { 'upload-offset': `${offset}` })
}

/** The file that a call has attached. */
export async function attached(response: Response, status = 201): Promise<DraftFile> {
  const body = await response.json()
  assert.equal(response.status, status, body.message)
  return body.attachment
}

/** Sends a reply with files of the draft. */
export async function replyWith(who: Colleague, id: string, attachments: string[]): Promise<Response> {
  const { lastSeq } = await who.open(id)
  return await who.send(id, { body: 'See the file', lastSeq, attachments })
}

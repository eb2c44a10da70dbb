import type { QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { seconds } from '../../../platform/clock.ts'
import { call, write } from '../../../ui/client.ts'
import { fieldsOf } from '../../../ui/form/use-write.ts'
import { createStateStore, type StateStore } from '../../../ui/state-store.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import type { OpenMessage } from '../contract.ts'
import { refreshMessage } from '../queries.ts'
import { type Attachment, attachments, type DraftFile } from './contract.ts'

/** Bytes of one call, which must arrive within fifteen seconds, also from a slow line. */
const PART = 256 * 1024
/** Milliseconds after which a call that failed is made again. At first it is less. */
const LONGEST_WAIT = seconds(16)

/** A file that this browser sends. */
export interface Upload {
  readonly key: string
  readonly name: string
  readonly size: number
  /** Bytes that have arrived. */
  readonly sent: number
  /** What it is on the server, once anything of it is there. It stays here until it is sent: a lost read must not hide it. */
  readonly file: DraftFile | null
  /** Why it does not go on; null while it does. */
  readonly problem: string | null
}

interface Uploads {
  readonly all: readonly Upload[]
  /** The ids of files that are being removed. */
  readonly removed: readonly string[]
}

/** By message, for as long as the document lives: an upload goes on while another message is on the screen. */
const stores = new Map<string, StateStore<Uploads>>()
/** What is sent, by key, and what ends that. */
const sources = new Map<string, { readonly source: File; readonly ending: AbortController }>()

export function uploads(id: string): StateStore<Uploads> {
  const store = stores.get(id) ?? createStateStore<Uploads>({ all: [], removed: [] })
  stores.set(id, store)
  return store
}

/** The files of a draft as they are shown: those that the server has, and those that are on their way. */
export function draftFilesOf(
  { draftFiles = [] }: Pick<OpenMessage, 'draftFiles'>,
  { all, removed }: Uploads,
) {
  const sending = new Set(all.map(({ file }) => file?.id))
  // The server may have locked one since, or erased it.
  const isLost = ({ state }: DraftFile) => state === 'locked' || state === 'gone'
  const lost = new Map(draftFiles.filter(isLost).map(file => [file.id, problemOf(file)]))
  const known = draftFiles
    .filter(({ id }) => !sending.has(id) && !removed.includes(id))
    .map(
      (file): Upload => ({
        ...{ key: file.id, file, sent: file.received },
        ...file,
        problem: problemOf(file),
      }),
    )
  const own = all.map(upload => ({ ...upload, problem: lost.get(upload.file?.id ?? '') ?? upload.problem }))
  return [...known, ...own]
}

function problemOf({ state }: DraftFile): string | null {
  if (state === 'kept') return null
  if (state === 'locked') return 'The scanner has locked it.'
  return state === 'gone'
    ? 'It named somebody who was erased.'
    : 'Its upload was interrupted. Remove it, and attach it again.'
}

/** Whether all of it is on the server. */
export const isThere = ({ file, problem }: Upload) => problem === null && file?.state === 'kept'

function change(id: string, key: string, changed: Partial<Upload>) {
  const { all } = uploads(id).read()
  uploads(id).set({ all: all.map(upload => (upload.key === key ? { ...upload, ...changed } : upload)) })
}

function drop(id: string, isDropped: (upload: Upload) => boolean) {
  uploads(id).set({
    all: uploads(id)
      .read()
      .all.filter(upload => !isDropped(upload)),
  })
}

/** The uploads of this browser go one after the other, so that the first is there soon. */
let last: Promise<void> = Promise.resolve()

/** Attaches files to the draft of a reply. */
export function addFiles(client: QueryClient, id: string, files: readonly File[]) {
  for (const source of files) {
    const key = crypto.randomUUID()
    sources.set(key, { source, ending: new AbortController() })
    const upload = { key, name: source.name, size: source.size, sent: 0, file: null, problem: null }
    uploads(id).set({ all: [...uploads(id).read().all, upload] })
    begin(client, id, key)
  }
}

/** Goes on with an upload that had a problem. */
export function goOn(client: QueryClient, id: string, key: string) {
  change(id, key, { problem: null })
  begin(client, id, key)
}

/** Whether this browser still has what could be sent again. */
export const canGoOn = (key: string) => sources.has(key)

function begin(client: QueryClient, id: string, key: string) {
  const run = () => send(client, id, key)
  last = last.then(run, run)
}

async function send(client: QueryClient, id: string, key: string): Promise<void> {
  const { source, ending } = sources.get(key) ?? {}
  if (!source || !ending) return
  const { signal } = ending
  try {
    let file =
      uploads(id)
        .read()
        .all.find(upload => upload.key === key)?.file ?? null
    while (file === null || file.state === 'uploading') {
      file = await sendPart(client, { id, key, source, file, signal })
      // It was removed while its first part was on the way.
      if (signal.aborted) return await discard(client, id, file).catch(error => sayNotRemoved(file, error))
      change(id, key, { file, sent: file.received })
    }
    sources.delete(key)
    change(id, key, { problem: problemOf(file) })
    refreshMessage(client, id)
  } catch (error) {
    if (!signal.aborted) change(id, key, { problem: describe(error) })
  }
}

function sayNotRemoved(file: DraftFile | null, error: unknown) {
  showFailure(`${file?.name} was not removed`, error, 'Try again.')
}

interface Part {
  readonly id: string
  readonly key: string
  readonly source: File
  readonly file: DraftFile | null
  readonly signal: AbortSignal
}

/** Sends what comes next, and again after a lost connection. @returns the file with it @throws {ApiError} */
async function sendPart(client: QueryClient, { id, key, source, file, signal }: Part): Promise<DraftFile> {
  const offset = file?.received ?? 0
  const bytes = new Uint8Array(await source.slice(offset, offset + PART).arrayBuffer())
  const run = async () => {
    if (file) {
      const headers = { 'Content-Type': 'application/octet-stream', 'Upload-Offset': `${offset}` }
      return await call(attachments.append, { id, attachmentId: file.id, bytes }, { headers })
    }
    const headers = {
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeName(source.name)}`,
      'Content-Type': source.type || 'application/octet-stream',
      'Upload-Length': `${source.size}`,
      'Idempotency-Key': key,
    }
    return await call(attachments.add, { id, bytes }, { headers })
  }
  for (let wait = LONGEST_WAIT / 16; ; wait = Math.min(LONGEST_WAIT, 2 * wait))
    try {
      return (await write(client, run)).attachment
    } catch (error) {
      // The answer about this part was lost, not the part.
      const place = fieldsOf(error, 'other_offset', Place)
      if (place && file && place.offset > offset) return { ...file, received: place.offset }
      // Another attempt at the first part is still being stored.
      if (!isPassing(error) && !(place && !file)) throw error
      // Nobody knows whether the first part has arrived, and then the file would stay: it goes on until that is known.
      if (file) signal.throwIfAborted()
      await pause(wait, file ? signal : null)
    }
}

const Place = z.object({ offset: z.number() })

/** Seconds for which it waits without saying so. */
const SHORT_WAIT = 5

function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { isOffline, status, retryAfter = SHORT_WAIT } = error
  return isOffline || status === 503 || (status === 429 && retryAfter <= SHORT_WAIT)
}

/** Ends early when the line is back, or when it is aborted. */
async function pause(milliseconds: number, signal: AbortSignal | null) {
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, milliseconds)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    addEventListener('online', end, { once: true, signal: AbortSignal.timeout(milliseconds) })
    signal?.addEventListener('abort', end, { once: true })
  })
  signal?.throwIfAborted()
}

/** As RFC 8187 wants it. */
const encodeName = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, it => `%${it.charCodeAt(0).toString(16)}`)

function describe(error: unknown): string {
  if (error instanceof ApiError) return error.said || 'The server failed.'
  return 'This browser can no longer read the file.'
}

/** Attaches a file of the conversation. Until it is there, the reply waits for it. @throws {ApiError} */
export async function attachCopy(
  client: QueryClient,
  id: string,
  { id: attachmentId, name, size }: Pick<Attachment, 'id' | 'name' | 'size'>,
): Promise<void> {
  const key = crypto.randomUUID()
  const copying: Upload = { key, name, size, sent: 0, file: null, problem: null }
  uploads(id).set({ all: [...uploads(id).read().all, copying] })
  try {
    const { attachment } = await write(client, () => call(attachments.copy, { id, attachmentId }))
    const isWanted = uploads(id)
      .read()
      .all.some(upload => upload.key === key)
    if (!isWanted) return await discard(client, id, attachment)
    change(id, key, { file: attachment, sent: size })
    refreshMessage(client, id)
  } catch (error) {
    drop(id, upload => upload.key === key)
    // It may have been attached, and the answer lost.
    refreshMessage(client, id)
    throw error
  }
}

/** Removes a file from the draft, or ends its upload. @throws {ApiError} */
export async function removeFile(client: QueryClient, id: string, { key, file }: Upload): Promise<void> {
  sources.get(key)?.ending.abort()
  sources.delete(key)
  drop(id, upload => upload.key === key)
  // What has no file yet is removed once it has one.
  if (file) await discard(client, id, file)
}

/** @throws {ApiError} */
async function discard(client: QueryClient, id: string, file: DraftFile): Promise<void> {
  const store = uploads(id)
  store.set({ removed: [...store.read().removed, file.id] })
  try {
    await write(client, () => call(attachments.remove, { id, attachmentId: file.id }))
  } catch (error) {
    store.set({ removed: store.read().removed.filter(it => it !== file.id) })
    throw error
  } finally {
    refreshMessage(client, id)
  }
}

/** They are files of a reply now. */
export function forgetSent(id: string, sent: readonly string[]) {
  drop(id, ({ file }) => file !== null && sent.includes(file.id))
}

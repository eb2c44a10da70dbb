import type { QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ApiError } from '../../../http/api-client.ts'
import { Email } from '../../../http/common-schemas.ts'
import { call, write } from '../../../ui/client.ts'
import { fieldsOf } from '../../../ui/form/use-write.ts'
import { createStateStore, type StateStore, useStore } from '../../../ui/state-store.ts'
import { hideToast, showToast } from '../../../ui/toast/toast.ts'
import { forgetSent } from '../attachments/uploads.ts'
import type { OpenMessage } from '../contract.ts'
import { conversation, Entry, MAX_CC, type Reply } from '../conversation/contract.ts'
import { draftSession } from '../drafts/drafts.ts'
import { raiseVersion, refreshMessage } from '../queries.ts'
import { type ScheduledReply, scheduledReplies } from './contract.ts'
import { sendOrFind } from './send-once.ts'
import { hasSentNothing } from './sending-key.ts'
import { noteSent } from './undo-time-left.ts'

export type StatusAfter = NonNullable<Reply['status']>

/** What goes out with the reply that is being written, and what became of the last attempt to send it. */
export interface Outgoing {
  /** Email addresses, as they were typed; null while nobody gets a copy. */
  readonly cc: string | null
  readonly after: StatusAfter
  readonly isSending: boolean
  /** Null unless the last attempt failed. `code` is `no_mail` or `newer_entries` where that is why. */
  readonly failure: {
    readonly message: string
    readonly code: string | undefined
    /** Whether it was to be sent later. */
    readonly isLater?: boolean
  } | null
  /** What its writer had not seen at the last attempt. */
  readonly newer: readonly Entry[]
  /** An attempt of which nobody knows what became: sent again, it has the same files, although the draft may have lost them. */
  readonly attempt: { readonly body: string; readonly attachments: readonly string[] } | null
}

const FIRST: Outgoing = {
  cc: null,
  after: 'waiting',
  isSending: false,
  failure: null,
  newer: [],
  attempt: null,
}

/** By message, for as long as the document lives: what a write leads to belongs to the message it was made for. */
const stores = new Map<string, StateStore<Outgoing>>()

export function outgoing(id: string): StateStore<Outgoing> {
  const store = stores.get(id) ?? createStateStore(FIRST)
  stores.set(id, store)
  return store
}

export const useOutgoing = (id: string): Outgoing => useStore(outgoing(id))

interface Sending {
  readonly id: string
  readonly name: string
  /** The number of the last entry that its writer has seen. */
  readonly lastSeq: number
  /** The ids of its files. */
  readonly attachments: readonly string[]
  /** Whether the message is still on the screen, so that its composer shows what failed. */
  isShown(): boolean
}

/** Sends the draft of a reply. @returns whether it was sent; otherwise the draft is as it was */
export async function sendReply(
  client: QueryClient,
  { id, name, lastSeq, isShown, ...sent }: Sending,
): Promise<boolean> {
  const store = outgoing(id)
  const draft = draftSession(client, id, 'reply')
  const { isSending, cc, after, attempt } = store.read()
  const { body } = draft.read()
  const isRepeat = attempt?.body === body && sent.attachments.every(it => attempt.attachments.includes(it))
  const attachments = isRepeat ? attempt.attachments : sent.attachments
  if (isSending || !body.trim()) return false
  store.set({ isSending: true, failure: null })
  await draft.hold()
  const files = attachments.length > 0 && { attachments: [...attachments] }
  const input = { id, body, cc: readAddresses(cc ?? ''), lastSeq, status: after, ...files }
  const sending = {
    id,
    kind: 'reply',
    content: [body, input.cc, after, ...attachments],
    lastSeq,
    isSame: (entry: Entry) =>
      entry.body === body.trim() && (entry.attachments ?? []).map(it => it.id).join() === attachments.join(),
  } as const
  try {
    const run = () => sendOrFind(client, sending, withKey => call(conversation.reply, input, withKey))
    const replyId = await write(client, run)
    draft.clear()
    forgetSent(id, attachments)
    store.set(FIRST)
    noteSent(replyId)
    // What was done before is no longer the last.
    hideToast()
    return true
  } catch (error) {
    draft.release(!hasSentNothing(error))
    store.set({
      attempt: hasSentNothing(error) ? null : { body, attachments },
      isSending: false,
      failure: describe(error),
      newer: fieldsOf(error, 'newer_entries', Newer)?.entries ?? [],
    })
    const description = `${describe(error).message} Its text is in the draft.`
    if (!isShown()) showToast({ title: `The reply to ${name} was not sent`, description, kind: 'error' })
    return false
  } finally {
    refreshMessage(client, id)
  }
}

interface Scheduling extends Sending {
  readonly sendsAt: Date
}

/** Has the draft of a reply sent at a time. @returns whether it will be */
export async function scheduleReply(
  client: QueryClient,
  { id, name, sendsAt, lastSeq, attachments, isShown }: Scheduling,
): Promise<boolean> {
  const store = outgoing(id)
  const draft = draftSession(client, id, 'reply')
  const { isSending, cc, after: status } = store.read()
  const body = draft.read().body.trim()
  if (isSending || !body) return false
  store.set({ isSending: true, failure: null })
  await draft.hold()
  const input = { id, body, cc: readAddresses(cc ?? ''), attachments: [...attachments], lastSeq, status }
  try {
    await write(client, () => call(scheduledReplies.schedule, { ...input, sendsAt: sendsAt.toISOString() }))
    draft.store(body)
    forgetSent(id, attachments)
    store.set(FIRST)
    return true
  } catch (error) {
    const failure = { ...describe(error), isLater: true }
    store.set({ failure, newer: fieldsOf(error, 'newer_entries', Newer)?.entries ?? [] })
    const description = `${failure.message} Its text is in the draft.`
    if (!isShown()) showToast({ title: `The reply to ${name} was not scheduled`, description, kind: 'error' })
    return false
  } finally {
    draft.release()
    store.set({ isSending: false })
    refreshMessage(client, id)
  }
}

/** Leaves a scheduled reply in its draft. @param isOwn whether its writer does, who goes on with it */
export async function cancelScheduled(
  client: QueryClient,
  id: string,
  { by, cc = [], status }: ScheduledReply,
  isOwn: boolean,
): Promise<boolean> {
  const store = outgoing(id)
  if (isOwn && store.read().isSending) return false
  if (isOwn) store.set({ isSending: true })
  try {
    const input = isOwn ? { id } : { id, userId: by.id }
    await write(client, () => call(scheduledReplies.cancel, input))
    if (isOwn) store.set({ ...FIRST, cc: cc.join(', ') || null, ...(status && { after: status }) })
    // What could not be saved while it was scheduled.
    if (isOwn) void draftSession(client, id, 'reply').saveNow()
    // The text can be changed at once.
    client.setQueriesData<OpenMessage>({ queryKey: ['messages', 'open', id] }, open =>
      isOwn && open?.scheduled
        ? { ...open, scheduled: open.scheduled.filter(it => it.by.id !== by.id) }
        : open,
    )
    return true
  } catch (error) {
    const description = describe(error).message
    showToast({ title: 'The scheduled reply could not be cancelled', description, kind: 'error' })
    return false
  } finally {
    if (isOwn) store.set({ isSending: false })
    refreshMessage(client, id)
  }
}

/** The replies that are being taken back: a second press does nothing. */
const undoing = new Set<string>()

/** Takes a reply back into the draft, also one that the thread shows before its sending has been answered. @returns whether it could */
export async function undoReply(client: QueryClient, id: string, entry: Entry): Promise<boolean> {
  if (undoing.has(entry.id)) return false
  undoing.add(entry.id)
  const store = outgoing(id)
  await untilSent(store)
  store.set({ isSending: true })
  const draft = draftSession(client, id, 'reply')
  try {
    await draft.saveNow()
    await draft.hold()
    const run = () => call(conversation.undoReply, { id, replyId: entry.id })
    const { body, version } = await write(client, run)
    raiseVersion(client, id, version)
    draft.restore(body)
    store.set({ ...FIRST, cc: entry.cc.join(', ') || null })
    return true
  } catch (error) {
    const description = describe(error).message
    showToast({ title: 'The reply could not be taken back', description, kind: 'error' })
    return false
  } finally {
    undoing.delete(entry.id)
    draft.release()
    store.set({ isSending: false })
    refreshMessage(client, id)
  }
}

function untilSent({ read, subscribe }: StateStore<Outgoing>): Promise<void> {
  return new Promise(resolve => {
    const look = () => {
      if (read().isSending) return
      stop()
      resolve()
    }
    const stop = subscribe(look)
    look()
  })
}

function describe(error: unknown) {
  if (!(error instanceof ApiError)) return { message: 'Something unexpected happened.', code: undefined }
  const message = error.isOffline ? 'The server could not be reached.' : error.said || 'The server failed.'
  return { message, code: error.code }
}

const Newer = z.object({ entries: z.array(Entry) })

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

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call } from '../../../ui/client.ts'
import { inputText, keepInput, restoreInput } from '../../../ui/form/input-backup.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { conversation, type Draft, type DraftChange } from '../conversation/contract.ts'
import { forgetKey } from '../replies/sending-key.ts'
import { write } from '../replies/write.ts'
import { createDraftSession, type DraftBackup, type DraftSession } from './draft-session.ts'

type DraftKind = DraftChange['kind']

/** What is being written about each message, for as long as the document lives: it outlives the message on the screen. */
const sessions = new Map<string, DraftSession>()

const keyOf = (messageId: string, kind: string) => `draft of ${kind} ${messageId}`

export function draftSession(client: QueryClient, id: string, kind: DraftKind): DraftSession {
  const key = keyOf(id, kind)
  const known = sessions.get(key)
  if (known) return known
  const saved = createDraftSession(restore(key), {
    save: (body, version) =>
      write(client, () =>
        call(conversation.saveDraft, { id, kind, body, version }, { keepalive: isSmall(body) }),
      ),
    keep: backup => keepInput(client.getQueryData(meQuery.queryKey)?.id ?? '', key, backup),
    schedule(run, milliseconds) {
      const timer = setTimeout(run, milliseconds)
      return () => clearTimeout(timer)
    },
    now: () => new Date().toISOString(),
  })
  const change = (body: string) => {
    forgetKey({ id, kind })
    saved.change(body)
  }
  const session = { ...saved, change }
  sessions.set(key, session)
  return session
}

/** Bytes. A browser refuses a request of more than 64 KiB that is to outlive its page. */
const MAX_KEPT_ALIVE = 60_000

const isSmall = (body: string) => new Blob([body]).size < MAX_KEPT_ALIVE

function restore(key: string): DraftBackup | null {
  const typed = restoreInput(key)
  const body = inputText(typed, 'body')
  return body === undefined ? null : { body, version: Number(typed.version) || 0 }
}

/** The drafts of a message as they are on the screen, and when they were. */
export function momentOfDrafts(id: string) {
  return { reply: momentOf(id, 'reply'), note: momentOf(id, 'note') }
}

const momentOf = (id: string, kind: DraftKind) => sessions.get(keyOf(id, kind))?.moment() ?? 0

/** @param asked when the server was asked for them */
export function receiveDrafts(
  client: QueryClient,
  id: string,
  drafts: readonly Draft[],
  asked: ReturnType<typeof momentOfDrafts>,
) {
  for (const kind of ['reply', 'note'] as const) {
    const draft = drafts.find(it => it.kind === kind) ?? null
    if (draft || sessions.has(keyOf(id, kind))) draftSession(client, id, kind).receive(draft, asked[kind])
  }
}

/** Saves everything at once, because the page may be left or the line is back. */
export function saveAllDrafts() {
  for (const session of sessions.values()) void session.saveNow()
}

export function useDraft(id: string, kind: DraftKind) {
  const session = draftSession(useQueryClient(), id, kind)
  return { session, ...useSyncExternalStore(session.subscribe, session.read) }
}

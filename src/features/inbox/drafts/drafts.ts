import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import {
  type AutosaveState,
  type Backup,
  backupSchema,
  createAutosave,
  type Stored,
  type Timing,
} from '../../../ui/autosave/autosave.ts'
import { call, write } from '../../../ui/client.ts'
import { keepInput, restoreInput } from '../../../ui/form/input-backup.ts'
import { fieldsOf } from '../../../ui/form/use-write.ts'
import { meQuery } from '../../../ui/me-query.ts'
import { useStore } from '../../../ui/state-store.ts'
import type { OpenMessage } from '../contract.ts'
import { conversation, Draft, type DraftChange } from '../conversation/contract.ts'
import { forgetKey } from '../replies/sending-key.ts'

type DraftKind = DraftChange['kind']
/** A conflict is the other text. */
export type DraftBackup = Backup<string, string>
export type DraftState = AutosaveState<string, string>
export type DraftSession = ReturnType<typeof createDraftSession>

const NONE = { base: '', body: '', revision: 0, savedAt: null }

const toStored = (draft: Draft | null): Stored<string> =>
  draft ? { body: draft.body, revision: draft.version, savedAt: draft.updatedAt } : NONE

const Changed = z.object({ draft: z.nullable(Draft) })

/** What the same person has saved in another window; nothing where it was sent or deleted there. */
function theirsOf(error: unknown): Stored<string> | null {
  const changed = fieldsOf(error, 'draft_changed', Changed)
  return changed ? toStored(changed.draft) : null
}

/**
 * What one person writes about one message.
 * @param save @throws {ApiError}
 */
export function createDraftSession(
  start: DraftBackup | null,
  save: (body: string, version: number) => Promise<unknown>,
  timing?: Timing,
) {
  /** Whether the server may have deleted the draft for an attempt to send it whose answer was lost. */
  let mayBeSent = false
  /** Counts what happened here, so that a reply that is older than that is recognised. */
  let moment = 0
  const session = createAutosave<string, string>({
    start: start ?? NONE,
    async save(body, version) {
      await save(body, version)
      return { revision: body ? version + 1 : 0 }
    },
    theirsOf,
    // A reply is short: both texts are shown, and its writer chooses.
    resolve(base, mine, theirs) {
      if (mine === base) return { body: theirs, conflicts: [] }
      const isOther = theirs !== '' && theirs !== base && theirs !== mine
      return { body: mine, conflicts: isOther ? [theirs] : [] }
    },
    timing,
  })
  session.subscribe(() => moment++)
  return {
    ...session,
    moment: () => moment,
    /** Takes what the server has, unless something was typed or saved here since `asked`, when it was asked for. */
    receive(draft: Draft | null, asked: number) {
      if (asked === moment && session.read().status === 'saved') session.take(toStored(draft))
    },
    /** @param isUnknown whether it may have been sent */
    release(isUnknown = false) {
      mayBeSent ||= isUnknown
      session.release()
    },
    /** What was written has been sent, and the server has deleted the draft. One that was saved since then still has to be. */
    clear() {
      if (!mayBeSent) session.take(NONE)
      mayBeSent = false
      session.settle('', [])
      session.release()
    },
    /** The server has put this text into the draft. What was typed since the last save comes after it. */
    restore(body: string) {
      const { base, body: typed } = session.backup() ?? NONE
      session.take({ body, revision: session.read().revision + 1, savedAt: new Date().toISOString() })
      session.settle(typed === base ? body : `${body}\n\n${typed}`, [])
    },
    /** The server has stored this as the draft. */
    store(body: string) {
      session.take({ body, revision: session.read().revision + 1, savedAt: new Date().toISOString() })
      session.settle(body, [])
    },
    choose: (body: string) => session.settle(body, []),
  }
}

/** What is being written about each message, for as long as the document lives: it outlives the message on the screen. */
const sessions = new Map<string, DraftSession>()

const keyOf = (messageId: string, kind: string) => `draft of ${kind} ${messageId}`

const Kept = backupSchema(z.string(), z.string())

export function draftSession(client: QueryClient, id: string, kind: DraftKind): DraftSession {
  const key = keyOf(id, kind)
  const known = sessions.get(key)
  if (known) return known
  const autosave = createDraftSession(Kept.safeParse(restoreInput(key)).data ?? null, (body, version) =>
    write(client, () => call(conversation.saveDraft, { id, kind, body, version }, { keepalive: true })),
  )
  autosave.subscribe(() => keepInput(client.getQueryData(meQuery.queryKey)?.id ?? '', key, autosave.backup()))
  const change = (body: string) => {
    forgetKey({ id, kind })
    autosave.change(body)
  }
  const session = { ...autosave, change }
  sessions.set(key, session)
  return session
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

/** The reply of a user that waits for its time: its draft stays as it is. */
export const scheduledOf = ({ scheduled }: OpenMessage, userId: string | undefined) =>
  scheduled?.find(({ by }) => by.id === userId)

/** Saves everything at once, because the page may be left or the line is back. */
export function saveAllDrafts() {
  for (const session of sessions.values()) void session.saveNow()
}

export function useDraft(id: string, kind: DraftKind) {
  const session = draftSession(useQueryClient(), id, kind)
  return { session, ...useStore(session) }
}

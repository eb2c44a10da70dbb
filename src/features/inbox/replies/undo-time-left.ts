import { type Entry, UNDO_TIME } from '../conversation/contract.ts'

/** When this window has sent a reply, by its own clock, which may be wrong. */
const sentAt = new Map<string, number>()

export const noteSent = (replyId: string) => sentAt.set(replyId, Date.now())

/** Milliseconds that are left to take a reply back; 0 when it is too late. */
export function undoTimeLeft({ id, delivery, sendsAt }: Entry): number {
  if (delivery !== 'waiting' || sendsAt === null) return 0
  const sent = sentAt.get(id)
  const until = sent === undefined ? Date.parse(sendsAt) : sent + UNDO_TIME
  return Math.min(Math.max(until - Date.now(), 0), UNDO_TIME)
}

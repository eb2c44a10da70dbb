import type { EditorSession } from './editor-session.ts'

const UNSAVED = 'Your last changes could not be saved, so nothing was published.'

/**
 * Saves what is typed, which may merge what somebody else has written: nobody publishes that without having seen it.
 * @param seen `merges` of the session when the form was last looked at
 * @returns why the draft may not be published; null if it may
 */
export async function saveBeforePublishing(session: EditorSession, seen: number): Promise<string | null> {
  const isSaved = await session.flush()
  const { merges, otherEditor } = session.read()
  if (merges === seen) return isSaved ? null : UNSAVED
  return `${otherEditor ?? 'Somebody else'} has changed this meanwhile. Look at it, then publish.`
}

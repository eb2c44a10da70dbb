import { signInToInbox } from './conversation.ts'
import { readStream, type Stream } from './event-stream.ts'
import { openTestApp, type TestApp } from './test-app.ts'
import { until } from './until.ts'

/** Milliseconds between the checks of a stream here. */
export const HEARTBEAT_INTERVAL = 300

/** Two nodes of one installation, somebody on each, and what their event streams say. */
export async function openLiveNodes(beat = HEARTBEAT_INTERVAL) {
  const a = await openTestApp({}, { beat })
  const { dataDir, databaseUrl, secretKey, smtpUrl } = a.services.config
  const place = { dataDir, databaseUrl, secretKey, smtpUrl }
  const b: TestApp = { ...(await openTestApp(place, { beat })), mailServer: a.mailServer }
  const ana = await signInToInbox(a)
  const bo = await signInToInbox(b, 'admin')

  const open = async ({ browser }: Pick<typeof ana, 'browser'>, headers: Record<string, string> = {}) =>
    readStream(await browser.fetch('/api/events', { headers }))
  const kindsOf = ({ events }: Stream, id: string) =>
    events.filter(({ messageId }) => messageId === id).map(({ kind }) => kind)
  const untilHeard = async (stream: Stream, id: string, kind = 'changed') =>
    await until(() => kindsOf(stream, id).includes(kind as 'changed'))

  return { a, b, ana, bo, open, kindsOf, untilHeard }
}

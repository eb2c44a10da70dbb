import { type Door, serve } from '../../http/serve.ts'
import { dashboard } from './contract.ts'
import { countFailedLetters, countUnreadMessages } from './store.server.ts'

export function serveDashboard(door: Door): void {
  const { db, mail } = door.services

  serve(door, dashboard.read, async (_input, { user }) => {
    if (user.role !== 'admin') return { attention: null }
    const [unread, failedLetters] = await Promise.all([countUnreadMessages(db), countFailedLetters(db)])
    return { attention: { unread, failedLetters, isMailKeptHere: mail.transport === 'mailbox' } }
  })
}

import type { Message } from '../contract.ts'
import type { Entry } from '../conversation/contract.ts'
import { ThreadEntry } from '../history/thread-entry.tsx'
import { useOfficeTime } from '../queries.ts'

/** What somebody else has said since the reply was begun. Its writer decides whether it is still right. */
export function NewerEntries({ message, entries }: { message: Message; entries: readonly Entry[] }) {
  const formatTime = useOfficeTime()
  if (entries.length === 0) return null
  return (
    <div className="warning small inbox-composer-notice" role="alert">
      <p>This was said since you began to write. Is your text still right?</p>
      <div className="inbox-composer-newer">
        {entries.map(entry => (
          <ThreadEntry
            key={entry.id}
            message={message}
            visitor={{ name: message.name, address: message.email, hasSeveral: false }}
            entry={entry}
            formatTime={formatTime}
          />
        ))}
      </div>
    </div>
  )
}

import type { Person } from './conversation-contract.ts'
import { usePresence } from './use-presence.ts'

/** Faces beside the words; more would push the title away. */
const MAX_AVATARS = 3

/** Who else is looking at a message: "MT Mei is looking". Takes no space while nobody is. */
export function OthersLooking({ messageId }: { messageId: string }) {
  const others = usePresence(messageId)
  return (
    <p className="inbox-looking" role="status" title={others.map(({ name }) => name).join(', ')}>
      {others.slice(0, MAX_AVATARS).map(({ id, name }) => (
        <span key={id} className="inbox-looking-avatar" aria-hidden="true">
          {initialsOf(name)}
        </span>
      ))}
      {others.length > 0 && <span className="inbox-looking-names">{describe(others)}</span>}
    </p>
  )
}

function describe([first, second, ...more]: readonly Person[]): string {
  if (!first) return ''
  if (!second) return `${firstName(first)} is looking`
  if (more.length === 0) return `${firstName(first)} and ${firstName(second)} are looking`
  return `${firstName(first)} and ${more.length + 1} others are looking`
}

const firstName = ({ name }: Person) => name.split(' ')[0]

function initialsOf(name: string): string {
  const words = name.split(' ').filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map(word => [...(word ?? '')][0])
  return initials.join('').toUpperCase()
}

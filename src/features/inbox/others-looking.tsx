import type { Other } from './presence-contract.ts'
import { usePresence } from './use-presence.ts'

/** Faces beside the words; more would push the title away. */
const MAX_AVATARS = 3

/** Who else is looking at a message, or writing: "MT Mei is looking". Takes no space while nobody is. */
export function OthersLooking({ messageId }: { messageId: string }) {
  const others = usePresence(messageId)
  return (
    <p className="inbox-looking" role="status" title={others.map(({ name }) => name).join(', ')}>
      {others.slice(0, MAX_AVATARS).map(({ id, name }) => (
        <span key={id} className="inbox-looking-avatar" aria-hidden="true">
          {initialsOf(name)}
        </span>
      ))}
      {others.length > 0 && <span className="inbox-looking-names">{describeAll(others)}</span>}
    </p>
  )
}

/** Who writes matters more than who looks: there is room for one of both. */
function describeAll(others: readonly Other[]): string {
  const writing = others.filter(({ isWriting }) => isWriting)
  return writing.length > 0 ? describe(writing, 'writing') : describe(others, 'looking')
}

function describe([first, second, ...more]: readonly Other[], doing: string): string {
  if (!first) return ''
  if (!second) return `${firstName(first)} is ${doing}`
  if (more.length === 0) return `${firstName(first)} and ${firstName(second)} are ${doing}`
  return `${firstName(first)} and ${more.length + 1} others are ${doing}`
}

const firstName = ({ name }: Other) => name.split(' ')[0]

function initialsOf(name: string): string {
  const words = name.split(' ').filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map(word => [...(word ?? '')][0])
  return initials.join('').toUpperCase()
}

import type { Change } from './diff.ts'
import type { TextPart } from './diff-words.ts'

const kinds: Record<Change['kind'], string> = {
  added: 'added',
  removed: 'removed',
  moved: 'moved',
  changed: '',
}

/** One place at which two versions differ. Marks are said too, and lines are kept. */
export function ChangeView({ change, label }: { change: Change; label: string }) {
  const what = kinds[change.kind]
  return (
    <li className="content-editor-change" tabIndex={-1}>
      <h3>
        {label} {what && <span className="content-editor-quiet">{what}</span>}
      </h3>
      {change.kind === 'moved' ? (
        <p>
          From place {change.from} to place {change.to}
        </p>
      ) : (
        <p className="content-editor-lines">
          {change.parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one comparison never change places
            <Part key={at} part={part} />
          ))}
        </p>
      )}
    </li>
  )
}

/** Most screen readers do not say that text is inserted or deleted. */
function Part({ part: { kind, text } }: { part: TextPart }) {
  if (kind === 'same') return text
  const Mark = kind === 'added' ? 'ins' : 'del'
  return (
    <Mark>
      <span className="visually-hidden">{kind === 'added' ? '[added: ' : '[removed: '}</span>
      {text}
      <span className="visually-hidden">] </span>
    </Mark>
  )
}

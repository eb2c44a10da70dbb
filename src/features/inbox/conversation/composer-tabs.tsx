import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'
import { Key } from './key.tsx'

const kinds = ['reply', 'note'] as const
type Kind = (typeof kinds)[number]

interface ComposerTabsProps {
  /** Whom the reply is for. */
  readonly name: string
  readonly current: Kind
  readonly onChoose: (kind: Kind) => void
  readonly children: ReactNode
}

const keys = { reply: 'R', note: 'N' }

/** The tabs of the composer. A press on one leads into its text; with the arrow keys, the focus stays on the tabs. */
export function ComposerTabs({ name, current, onChoose, children }: ComposerTabsProps) {
  const id = useId()
  const labels = { reply: `Reply to ${name}`, note: 'Note to the team' }

  function chooseByKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const other = current === 'reply' ? 'note' : 'reply'
    onChoose(other)
    document.getElementById(id + other)?.focus()
  }

  return (
    <div className="inbox-composer" data-kind={current}>
      <div className="inbox-composer-tabs" role="tablist" aria-label="Write">
        {kinds.map(kind => (
          <button
            key={kind}
            type="button"
            role="tab"
            className="inbox-tab"
            data-kind={kind}
            id={id + kind}
            aria-selected={kind === current}
            aria-controls={kind === current ? `${id}panel` : undefined}
            tabIndex={kind === current ? 0 : -1}
            onClick={() => onChoose(kind)}
            onKeyDown={chooseByKey}
          >
            <Icon name={kind} />
            <span className="inbox-composer-tab">{labels[kind]}</span>
            <Key name={keys[kind]} />
          </button>
        ))}
      </div>
      <div
        key={current}
        className="inbox-composer-panel"
        id={`${id}panel`}
        role="tabpanel"
        aria-labelledby={id + current}
      >
        {children}
      </div>
    </div>
  )
}

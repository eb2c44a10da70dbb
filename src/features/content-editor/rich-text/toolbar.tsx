import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { type ToolName, tools } from './tools.ts'

export interface ToolState {
  /** Undefined for what is done once. */
  readonly isPressed?: boolean
  readonly isIdle?: boolean
}

interface ToolbarProps {
  readonly label: string
  /** The id of the text that it changes. */
  readonly controls: string
  /** None while the editor is loaded. */
  readonly icons: Readonly<Partial<Record<ToolName, ReactNode>>>
  readonly stateOf: (name: ToolName) => ToolState
  readonly onUse: (name: ToolName) => void
  /** Leads back to the text. */
  readonly onLeave: () => void
}

/** One stop of the Tab key; the arrow keys, Home and End move in it, and Escape leads back to the text. */
export function Toolbar({ label, controls, icons, stateOf, onUse, onLeave }: ToolbarProps) {
  const [current, setCurrent] = useState(0)
  const buttons = useRef<HTMLDivElement>(null)

  function moveTo(at: number) {
    const next = (at + tools.length) % tools.length
    setCurrent(next)
    buttons.current?.querySelectorAll('button')[next]?.focus()
  }

  function handleKey(event: KeyboardEvent) {
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: tools.length - 1 }[event.key]
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape') onLeave()
    else if (to !== undefined) moveTo(to)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      ref={buttons}
      className="content-editor-tools"
      role="toolbar"
      aria-label={`Format of ${label}`}
      aria-controls={controls}
      onKeyDown={handleKey}
      onMouseDown={keepFocus}
    >
      {tools.map(({ name, title, ...tool }, at) => {
        const { isPressed, isIdle = false } = stateOf(name)
        return (
          <button
            key={name}
            type="button"
            className="content-editor-tool"
            data-tool={name}
            data-group={'startsGroup' in tool ? '' : undefined}
            title={title}
            aria-label={title.replace(/ \(.*/, '')}
            aria-pressed={isPressed}
            aria-disabled={isIdle || undefined}
            tabIndex={at === current ? 0 : -1}
            onFocus={() => setCurrent(at)}
            onClick={() => {
              if (!isIdle) onUse(name)
            }}
          >
            {icons[name]}
          </button>
        )
      })}
    </div>
  )
}

/** A click leaves the cursor in the text. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react'

export interface ToolState {
  /** Undefined for what is done once. */
  readonly isPressed?: boolean
  readonly isIdle?: boolean
}

interface ToolbarProps {
  readonly label: string
  /** The id of the text that it changes. */
  readonly controls: string
  /** This and what follows are missing until the editor has been loaded. */
  readonly icons?: Readonly<Partial<Record<ToolName, ReactNode>>>
  readonly stateOf?: (name: ToolName) => ToolState
  readonly onUse?: (name: ToolName) => void
  /** Leads back to the text. */
  readonly onLeave?: () => void
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
    if (event.key === 'Escape') onLeave?.()
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
        const { isPressed, isIdle = false } = stateOf?.(name) ?? { isIdle: true }
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
              if (!isIdle) onUse?.(name)
            }}
          >
            {icons?.[name]}
          </button>
        )
      })}
    </div>
  )
}

/** A click leaves the cursor in the text. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

/** The buttons of the toolbar, in their order, with their keys if they have some. Their icons are loaded with the editor. */
const tools = [
  { name: 'paragraph', title: 'Paragraph (Ctrl+Shift+0)' },
  { name: 'heading2', title: 'Heading 2 (Ctrl+Shift+2)' },
  { name: 'heading3', title: 'Heading 3 (Ctrl+Shift+3)' },
  { name: 'strong', title: 'Bold (Ctrl+B)', startsGroup: true },
  { name: 'em', title: 'Italic (Ctrl+I)' },
  { name: 'bullet_list', title: 'Bulleted list (Ctrl+Shift+8)', startsGroup: true },
  { name: 'ordered_list', title: 'Numbered list (Ctrl+Shift+7)' },
  { name: 'outdent', title: 'Move the item out (Ctrl+[)' },
  { name: 'indent', title: 'Move the item in (Ctrl+])' },
  { name: 'link', title: 'Link (Ctrl+K)', startsGroup: true },
  { name: 'fact', title: 'Fact' },
  { name: 'undo', title: 'Undo (Ctrl+Z)', startsGroup: true },
  { name: 'redo', title: 'Redo (Ctrl+Y)' },
] as const

export type ToolName = (typeof tools)[number]['name']

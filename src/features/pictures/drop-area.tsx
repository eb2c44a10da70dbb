import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { ACCEPTED } from './redraw.ts'

interface DropAreaProps {
  readonly label: string
  readonly isBusy: boolean
  readonly onFile: (file: File) => void
  readonly className?: string
  /** More buttons. */
  readonly children?: ReactNode
}

/** Chooses a file: by a button, or by dropping it onto the area. */
export function DropArea({ label, isBusy, onFile, className = '', children }: DropAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  function take(files: FileList | null) {
    const file = files?.[0]
    if (file && !isBusy) onFile(file)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same for those who do not drag
    <div
      className={`pictures-drop ${className}`}
      data-over={isOver ? '' : undefined}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <button
        type="button"
        className="button"
        aria-disabled={isBusy}
        onClick={() => !isBusy && input.current?.click()}
      >
        {label}
      </button>
      {children}
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        aria-label={label}
        onChange={({ target }) => {
          take(target.files)
          // The same file can be chosen again, after an error.
          target.value = ''
        }}
      />
    </div>
  )
}

import { flushSync } from 'react-dom'
import { copyText } from './copy-text.ts'
import { showToast, type Toast } from './toast/toast.ts'

interface CopyButtonProps {
  readonly label: string
  readonly text: string
  /** Shown once the text is on the clipboard. */
  readonly done: Toast
  readonly className?: string
  readonly onCopied?: () => void
}

export function CopyButton({ label, text, done, className = 'button', onCopied }: CopyButtonProps) {
  async function copy(button: HTMLElement) {
    const isCopied = await copyText(text, button)
    // Before the toast says so: a press on a link just after it must not ask about a secret that was copied.
    if (isCopied) flushSync(() => onCopied?.())
    showToast(
      isCopied
        ? done
        : { title: 'Not copied', description: 'Please select the text and copy it.', kind: 'error' },
    )
  }

  return (
    <button type="button" className={className} onClick={event => copy(event.currentTarget)}>
      {label}
    </button>
  )
}

import { showToast, type Toast } from '../../ui/toast.ts'

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
    const isCopied = (await copyByClipboard(text)) || copyBySelection(text, button)
    if (isCopied) onCopied?.()
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

/** The Clipboard API needs https or localhost, and the user may have denied it. */
async function copyByClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** The deprecated way, which works on plain http too. */
function copyBySelection(text: string, beside: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.className = 'visually-hidden'
  field.value = text
  beside.after(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  beside.focus()
  return isCopied
}

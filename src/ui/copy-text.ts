/** Copies a text in every way that a browser has. @param beside keeps the focus @returns whether it was copied */
export async function copyText(text: string, beside: HTMLElement): Promise<boolean> {
  return (await copyByClipboard(text)) || copyBySelection(text, beside)
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

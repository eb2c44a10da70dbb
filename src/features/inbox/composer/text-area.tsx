import { type ComponentProps, type Ref, type RefObject, useEffect, useLayoutEffect } from 'react'
import { MAX_TEXT } from '../conversation/contract.ts'
import { useTextAttributes } from '../language/language.tsx'

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange'> {
  readonly label: string
  readonly value: string
  readonly area: Ref<HTMLTextAreaElement>
  readonly onText: (text: string) => void
  /** Ctrl+Enter, or ⌘+Enter. */
  readonly onSend: () => void
}

/** Where somebody writes; it grows with what is written. */
export function TextArea({ label, area, onText, onSend, onKeyDown, ...props }: TextAreaProps) {
  return (
    <textarea
      className="control inbox-composer-text"
      ref={area}
      aria-label={label}
      aria-keyshortcuts="Control+Enter"
      {...useTextAttributes(props.value)}
      maxLength={MAX_TEXT}
      onChange={event => onText(event.target.value)}
      onFocus={event => showComposer(event.currentTarget)}
      onKeyDown={event => {
        onKeyDown?.(event)
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        onSend()
      }}
      {...props}
    />
  )
}

/** Puts the caret at the end of what is written, each time that somebody asks to write. */
export function useStart(area: { readonly current: HTMLTextAreaElement | null }, asked: number) {
  // Before the next key is pressed.
  useLayoutEffect(() => {
    const element = area.current
    if (asked === 0 || !element) return
    element.focus()
    element.setSelectionRange(element.value.length, element.value.length)
  }, [area, asked])
}

/** As if it had been typed, so that the browser can undo it. */
export function insertAtCaret(
  { current: area }: RefObject<HTMLTextAreaElement | null>,
  text: string,
  onText: (text: string) => void,
) {
  if (!area || area.readOnly) return
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
  area.focus()
  onText(area.value)
}

/** Scrolls to all of the composer, with the button that sends: on a phone the keyboard and the thread leave little room. */
export function showComposer(part: Element | null) {
  part?.closest('.inbox-composer')?.scrollIntoView({ block: 'nearest' })
}

/** Sends once what was to be sent before the form was there. */
export function useEarly(early: { current: boolean }, send: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the form appears
  useEffect(() => {
    if (!early.current) return
    early.current = false
    send()
  }, [])
}

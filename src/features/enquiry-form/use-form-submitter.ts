import { type RefObject, useEffect, useRef } from 'react'
import type { FormSubmitter } from './form-submitter.ts'
import type { FormTexts } from './form-texts.ts'

/** What sends the form, loaded when someone first touches it: who only reads pays nothing for it. */
export function useFormSubmitter(
  texts: FormTexts,
  form: RefObject<HTMLFormElement | null>,
  onTicked: () => void,
) {
  const captcha = useRef<HTMLDivElement>(null)
  const opened = useRef<Promise<FormSubmitter | null>>(null)

  async function load(): Promise<FormSubmitter | null> {
    try {
      const it = await import('./form-submitter.ts')
      return captcha.current && it.createFormSubmitter(texts, captcha.current, onTicked)
    } catch {
      opened.current = null
      return null
    }
  }

  function openDesk(): Promise<FormSubmitter | null> {
    opened.current ??= load()
    return opened.current
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: someone may be writing before this script runs, once
  useEffect(() => {
    if (form.current?.contains(document.activeElement)) openDesk()
  }, [])

  return { openDesk, captcha }
}

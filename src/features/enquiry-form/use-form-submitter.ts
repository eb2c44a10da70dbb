import { type RefObject, useEffect, useRef } from 'react'
import type { FormSubmitter } from './form-submitter.ts'
import type { FormTexts } from './form-texts.ts'

/** What sends the form. It is loaded when someone first uses the form, so readers do not pay for it. */
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

  function loadSubmitter(): Promise<FormSubmitter | null> {
    opened.current ??= load()
    return opened.current
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once: someone may be typing before this script runs
  useEffect(() => {
    if (form.current?.contains(document.activeElement)) loadSubmitter()
  }, [])

  return { loadSubmitter, captcha }
}

import { type RefObject, useEffect, useRef } from 'react'
import type { FormEvents, FormSubmitter } from './form-submitter.ts'
import { SEND_TEXTS_PATH } from './form-texts.ts'

/** What sends the form. It is loaded when someone first uses the form, so readers do not pay for it. */
export function useFormSubmitter(form: RefObject<HTMLFormElement | null>, events: FormEvents) {
  const captcha = useRef<HTMLDivElement>(null)
  const opened = useRef<Promise<FormSubmitter | null>>(null)

  async function load(): Promise<FormSubmitter | null> {
    try {
      const [it, texts] = await Promise.all([import('./form-submitter.ts'), fetch(SEND_TEXTS_PATH)])
      return captcha.current && (await it.createFormSubmitter(texts, captcha.current, events))
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

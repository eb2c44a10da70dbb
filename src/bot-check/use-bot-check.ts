import { useEffect, useRef } from 'react'
import { type FormCheck, startFormCheck } from './browser.ts'

/** The bot check of a form of the sign-in, started with the form. @param onTicked called when its box is ticked */
export function useBotCheck(onTicked: () => void) {
  const captcha = useRef<HTMLDivElement>(null)
  const check = useRef<FormCheck>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it starts once, and its callback only sets a state
  useEffect(() => {
    // The site key in the page is the fallback when the settings of the check cannot be loaded.
    const builtIn = document.getElementById('root')?.dataset.siteKey ?? ''
    if (captcha.current) check.current ??= startFormCheck(builtIn, captcha.current, onTicked)
  }, [])

  return { captcha, check }
}

import { useEffect, useRef } from 'react'
import { type FormCheck, startFormCheck } from '../../bot-check/browser.ts'

/** The bot check of the password step, begun as soon as the step is there. @param onTicked its box has been ticked */
export function useBotCheck(onTicked: () => void) {
  const captcha = useRef<HTMLDivElement>(null)
  const check = useRef<FormCheck>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, and what it calls then only sets a state
  useEffect(() => {
    // The page's own key, for when the settings of the check cannot be asked.
    const builtIn = document.getElementById('root')?.dataset.siteKey ?? ''
    if (captcha.current) check.current ??= startFormCheck(builtIn, captcha.current, onTicked)
  }, [])

  return { captcha, check }
}

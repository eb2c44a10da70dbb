import { useEffect, useMemo } from 'react'
import { whenIdle } from '../../../ui/lazy-part.ts'
import { createStateStore, useStore } from '../../../ui/state-store.ts'
import type { Message } from '../contract.ts'
import { type LanguageCode, languageAtOnce, nameLanguage } from './languages.ts'

/** Characters that say it as surely as ten thousand. */
const ENOUGH = 1000

/** Characters of a name that say it where a row has no room for more. */
const SHORT = 3

type Detect = (text: string) => LanguageCode | null

const detector = createStateStore<{ readonly detect: Detect | null }>({ detect: null })
let isWanted = false

/** What knows sixty languages is larger than the whole inbox, so it is loaded for a text that needs it, when the browser has nothing else to do. */
function load() {
  if (isWanted) return
  isWanted = true
  whenIdle(async () => {
    try {
      detector.set({ detect: (await import('./detect-language.ts')).detectLanguage })
    } catch {
      // Nobody waits for it. The next text that is shown asks again.
      isWanted = false
    }
  })
}

/** The first of these texts whose language is certain says it; null until one is. It is found in this browser, and kept nowhere. */
function useLanguage(...texts: readonly string[]): LanguageCode | null {
  const { detect } = useStore(detector)
  const all = texts.join('\n\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are compared by what they say
  const language = useMemo(() => {
    for (const text of texts.map(it => it.slice(0, ENOUGH))) {
      const found = languageAtOnce(text)
      if (found === undefined && !detect) return undefined
      const said = found === undefined ? detect?.(text) : found
      if (said) return said
    }
    return null
  }, [detect, all])
  useEffect(() => {
    if (language === undefined) load()
  }, [language])
  return language ?? null
}

/** In which language a visitor writes: the latest words say it, or what they wrote first if those are only a few. */
export const useVisitorLanguage = ({ excerpt, message }: Pick<Message, 'excerpt' | 'message'>) =>
  useLanguage(excerpt, message)

/** The attributes of an element with somebody's words. */
export function useTextAttributes(text: string): { readonly lang: string | undefined; readonly dir: 'auto' } {
  return { lang: useLanguage(text) ?? undefined, dir: 'auto' }
}

/** Says in which language a visitor writes, if that is not English. */
export function LanguageLabel({ message }: { readonly message: Pick<Message, 'excerpt' | 'message'> }) {
  const language = useVisitorLanguage(message)
  if (!language || language === 'en') return null
  const name = nameLanguage(language)
  return (
    <span className="inbox-language" data-short={name.slice(0, SHORT)}>
      <span>{name}</span>
    </span>
  )
}

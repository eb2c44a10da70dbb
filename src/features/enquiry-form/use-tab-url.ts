import { useEffect, useRef } from 'react'

/**
 * Keeps the kind of enquiry in the URL, so that links can be shared and Back and reload work. Each history entry also
 * stores its kind, because the first may have it from a draft.
 * @param onChoose called when a kind is chosen or Back leads to one
 * @returns a function that chooses a kind
 */
export function useTabUrl(type: string, onChoose: (type: string) => void): (type: string) => void {
  const latest = useRef(onChoose)
  latest.current = onChoose

  useEffect(() => {
    const follow = ({ state }: PopStateEvent) => {
      if (typeof state?.form === 'string') latest.current(state.form)
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  return chosen => {
    onChoose(chosen)
    if (chosen === type) return
    const url = new URL(location.href)
    url.searchParams.set('form', chosen)
    history.replaceState({ form: type }, '')
    history.pushState({ form: chosen }, '', url)
  }
}

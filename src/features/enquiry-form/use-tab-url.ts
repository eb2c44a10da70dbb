import { useEffect, useRef } from 'react'

/**
 * Keeps the kind of enquiry in the address, so that links can be shared and Back and reload work. Each entry of the
 * history also notes its kind: the first may have it from a draft.
 * @param onChoose a kind has been chosen, or Back has led to one
 * @returns chooses a kind
 */
export function useTabAddress(type: string, onChoose: (type: string) => void): (type: string) => void {
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
    const address = new URL(location.href)
    address.searchParams.set('form', chosen)
    history.replaceState({ form: type }, '')
    history.pushState({ form: chosen }, '', address)
  }
}

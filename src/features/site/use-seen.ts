import { type RefObject, useEffect, useState } from 'react'

/** Whether a part of the page is in view, in a tab that is shown. */
export function useSeen(part: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    let isInView = false
    const update = () => setSeen(isInView && !document.hidden)
    const observer = new IntersectionObserver(entries => {
      isInView = entries.at(-1)?.isIntersecting ?? isInView
      update()
    })
    if (part.current) observer.observe(part.current)
    document.addEventListener('visibilitychange', update)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', update)
    }
  }, [part])
  return isSeen
}

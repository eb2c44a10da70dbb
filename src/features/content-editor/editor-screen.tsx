import { ScreenHead } from '../../ui/screen-head.tsx'

/** One document. */
export function Screen() {
  return <ScreenHead title="Content" />
}

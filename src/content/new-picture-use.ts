import { CENTRE } from './picture-focus.ts'
import type { PictureUse } from './picture-use.ts'

/** A use of a picture that nobody has described yet. */
export function newPictureUse({
  id,
  width,
  height,
}: {
  id: string
  width: number
  height: number
}): PictureUse {
  return { picture: id, width, height, alt: '', decoration: false, focus: CENTRE }
}

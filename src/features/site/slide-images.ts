import type { Content } from './content-schema.ts'
import harbour from './scenes/harbour.svg'
import rainforestCoast from './scenes/rainforest-coast.svg'
import redCentre from './scenes/red-centre.svg'

/** The drawn landscapes by name, at the addresses that the build gave them. */
export const slideImages: Readonly<Record<Content['slides'][number]['image'], string>> = {
  harbour,
  'red-centre': redCentre,
  'rainforest-coast': rainforestCoast,
}

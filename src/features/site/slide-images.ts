import type { Content } from '../../content/schema.ts'
import harbour from './scenes/harbour.svg'
import rainforestCoast from './scenes/rainforest-coast.svg'
import redCentre from './scenes/red-centre.svg'

/** The landscapes by name, with the URLs from the build. */
export const slideImages: Readonly<Record<Content['slides'][number]['image'], string>> = {
  harbour,
  'red-centre': redCentre,
  'rainforest-coast': rainforestCoast,
}

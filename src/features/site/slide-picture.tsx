import type { Content } from '../../content/schema.ts'
import { Picture } from './picture.tsx'
import { slideImages } from './slide-images.ts'

/** On a phone the middle half of it is seen, and half of the pixels of its screen are enough under the text. */
const SIZES = '(max-width: 560px) 50vw, 100vw'

interface SlidePictureProps {
  readonly slide: Pick<Content['slides'][number], 'image' | 'picture'>
  readonly priority?: 'high' | 'low'
}

/** The picture of a slide, or the landscape in its place. */
export function SlidePicture({ slide: { image, picture }, priority }: SlidePictureProps) {
  const className = 'site-slide-picture'
  if (picture) return <Picture use={picture} className={className} sizes={SIZES} priority={priority} />
  return (
    <img
      className={className}
      src={slideImages[image]}
      alt=""
      width={1600}
      height={500}
      fetchPriority={priority}
    />
  )
}

import type { ReactNode } from 'react'
import type { PictureUse } from '../../../content/picture-use.ts'
import { Picture, slideImages } from '../blocks/picture.tsx'

interface PortraitProps {
  readonly name: string
  readonly picture: PictureUse | undefined
  readonly url: string | null
  readonly 'data-edit'?: string
}

/** A small photograph, or the initials while there is none. */
export function Portrait(portrait: PortraitProps) {
  const { name, picture: _, url: __, ...attributes } = portrait
  return (
    photographOf(portrait, 'site-portrait', 56, '56px') ?? (
      <span {...attributes} className="site-portrait" aria-hidden="true">
        {initialsOf(name)}
      </span>
    )
  )
}

/** A large photograph with a caption, or a landscape with the initials in its sky. */
export function PortraitFrame({ children, ...portrait }: PortraitProps & { children?: ReactNode }) {
  const { name, picture: _, url: __, ...attributes } = portrait
  return (
    <figure className="site-frame" {...attributes}>
      {photographOf(portrait, 'site-cover', 480, '(max-width: 700px) 112px, 384px') ?? (
        <>
          {/* As a background of the stylesheet it would load before the heading beside it is painted. */}
          <img
            className="site-cover site-frame-scene"
            src={slideImages.harbour}
            alt=""
            loading="lazy"
            fetchPriority="low"
          />
          <span className="site-frame-initials" aria-hidden="true">
            {initialsOf(name)}
          </span>
        </>
      )}
      {children && <figcaption>{children}</figcaption>}
    </figure>
  )
}

function photographOf(portrait: PortraitProps, className: string, size: number, sizes: string) {
  const { name, picture, url, ...attributes } = portrait
  if (picture) return <Picture {...attributes} use={picture} className={className} sizes={sizes} />
  if (!url) return null
  const dimensions = { width: size, height: size }
  return <img {...attributes} className={className} src={url} alt={name} {...dimensions} loading="lazy" />
}

/** Of the first and the last name: more do not fit. */
function initialsOf(name: string): string {
  const names = name.split(' ').filter(part => part !== '')
  const [first = '', last = ''] = [names[0], names.length > 1 ? names.at(-1) : '']
  return [first, last].map(part => [...part][0] ?? '').join('')
}

import type { PictureUse } from '../../content/picture-use.ts'
import { Picture } from './picture.tsx'

/** A photograph, or the initials while there is none. */
export function Portrait({
  name,
  picture,
  url,
  large = false,
  ...attributes
}: {
  name: string
  picture: PictureUse | undefined
  url: string | null
  large?: boolean
  'data-edit'?: string
}) {
  const size = large ? 240 : 56
  const className = large ? 'site-portrait site-portrait-large' : 'site-portrait'
  if (picture) return <Picture {...attributes} use={picture} className={className} sizes={`${size}px`} />
  if (url)
    return (
      <img
        {...attributes}
        className={className}
        src={url}
        alt={name}
        width={size}
        height={size}
        loading="lazy"
      />
    )
  const initials = name.split(' ').map(part => part.charAt(0))
  return (
    <span {...attributes} className={className} aria-hidden="true">
      {initials}
    </span>
  )
}

/** A photograph, or the initials while there is none. */
export function Portrait({
  name,
  url,
  large = false,
}: {
  name: string
  url: string | null
  large?: boolean
}) {
  const size = large ? 240 : 56
  const className = large ? 'site-portrait site-portrait-large' : 'site-portrait'
  if (url) return <img className={className} src={url} alt={name} width={size} height={size} loading="lazy" />
  const initials = name.split(' ').map(part => part.charAt(0))
  return (
    <span className={className} aria-hidden="true">
      {initials}
    </span>
  )
}

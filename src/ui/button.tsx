import type { ComponentProps } from 'react'

interface ButtonProps extends ComponentProps<'button'> {
  /** How loud it is. */
  readonly kind?: 'primary' | 'quiet' | 'link' | 'danger-quiet'
  /** Whether a press does nothing now. It can have the focus all the same. */
  readonly isIdle?: boolean
}

export function Button({ kind, isIdle, className, onClick, ...button }: ButtonProps) {
  const classes = ['button', kind && `button-${kind}`, className].filter(Boolean).join(' ')
  const press = isIdle ? undefined : onClick
  return <button type="button" aria-disabled={isIdle} {...button} className={classes} onClick={press} />
}

interface InnerLinkProps extends Omit<ComponentProps<'a'>, 'onClick'> {
  readonly onFollow: (link: HTMLAnchorElement) => void
}

/** A link to what is opened here, unless somebody wants it in another tab or window. */
export function InnerLink({ href, onFollow, ...link }: InnerLinkProps) {
  return (
    <a
      {...link}
      href={href}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        event.stopPropagation()
        onFollow(event.currentTarget)
      }}
    />
  )
}

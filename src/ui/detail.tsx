import type { ReactNode } from 'react'

/** One line of a `<dl className="details">`. */
export function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** An email address that wraps before its @ when it does not fit on one line. */
export function EmailAddress({ children: address }: { children: string }) {
  const at = address.lastIndexOf('@')
  if (at < 0) return address
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}

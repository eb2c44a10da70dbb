/** Lines of each icon in a square of 24 units. */
const icons = {
  reply: 'M10 6 4 12l6 6M4 12h10c4 0 6 2 6 6',
  forward: 'M14 6l6 6-6 6M20 12H10c-4 0-6 2-6 6',
  note: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  call: 'M6 3h4l1.5 5L9 10c1 2.5 2.5 4 5 5l2-2.5 5 1.5v4c0 1.5-1 2-2 2C11 20 4 13 4 5c0-1 .5-2 2-2z',
  assign: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-5 4-7 8-7s8 2 8 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8h.01',
  attach: 'M8 12l6-6a3 3 0 0 1 4 4l-8 8a5 5 0 0 1-7-7l7-7',
  close: 'M5 13l4 4L19 7',
} as const

export type IconName = keyof typeof icons

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon inbox-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  )
}

/** The key that does what its button does. Who hears the page learns it from `aria-keyshortcuts`. */
export function Key({ name }: { readonly name: string }) {
  return (
    <span className="key" aria-hidden="true">
      <kbd>{name}</kbd>
    </span>
  )
}

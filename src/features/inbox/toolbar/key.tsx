/** The key that does what its button does. Who hears the page learns it from `aria-keyshortcuts`. */
export function Key({ name }: { readonly name: string }) {
  return (
    <span className="key" aria-hidden="true">
      <kbd>{name}</kbd>
    </span>
  )
}

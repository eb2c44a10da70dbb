import { type ComponentType, type ReactNode, startTransition, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'

/** Hydrates one island, in slices between which the browser answers input. A click on it is never too early. */
export function hydrate(host: Element, name: string, Component: ComponentType<never>) {
  const Hydrated = Component as ComponentType<object>
  const props: object = JSON.parse(host.getAttribute('data-props') ?? '{}')
  startTransition(() => {
    hydrateRoot(
      host,
      <Live host={host}>
        <Hydrated {...props} />
      </Live>,
      { identifierPrefix: name },
    )
  })
}

/** Marks the island once it is hydrated. */
function Live({ host, children }: { host: Element; children: ReactNode }) {
  useEffect(() => host.setAttribute('data-live', ''), [host])
  return children
}

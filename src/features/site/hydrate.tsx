import type { ComponentType } from 'react'
import { hydrateRoot } from 'react-dom/client'

/** Hydrates one island. */
export function hydrate(host: Element, name: string, Component: ComponentType<never>) {
  const Hydrated = Component as ComponentType<object>
  const props: object = JSON.parse(host.getAttribute('data-props') ?? '{}')
  hydrateRoot(host, <Hydrated {...props} />, { identifierPrefix: name })
  host.setAttribute('data-live', '')
}

import type { ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import type { IslandName } from './islands.ts'

interface IslandProps<Props extends object> {
  readonly name: IslandName
  readonly component: ComponentType<Props>
  readonly props: Props
}

/**
 * A part of a page that is hydrated in the browser. It is rendered here as its own React root, so that what the browser
 * hydrates is byte for byte what the server sent.
 */
export function Island<Props extends object>({ name, component: Component, props }: IslandProps<Props>) {
  const html = renderToString(<Component {...props} />, { identifierPrefix: name })
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup is what React has just rendered and escaped
    <div data-island={name} data-props={JSON.stringify(props)} dangerouslySetInnerHTML={{ __html: html }} />
  )
}

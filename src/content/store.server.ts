import { EventEmitter } from 'node:events'
import type { Content } from './schema.ts'

/** One content, and the number by which it is distinguished from those before it. */
export interface ContentRevision {
  readonly revision: number
  readonly content: Content
}

/** The content of this node, in memory. */
export interface ContentStore {
  /** What is published now. It is never changed, so a page that keeps it is of one revision. */
  read(): ContentRevision
  /** Publishes another content. When this returns, the listeners have been called. */
  replace(content: Content): void
  /** @param listener is called when `read` returns another revision, until the process ends */
  onChange(listener: () => void): void
}

/** @param content the first revision */
export function createContentStore(content: Content): ContentStore {
  const changes = new EventEmitter()
  let current: ContentRevision = { revision: 1, content }
  return {
    read: () => current,
    replace(content) {
      current = { revision: current.revision + 1, content }
      changes.emit('change')
    },
    onChange: listener => void changes.on('change', listener),
  }
}

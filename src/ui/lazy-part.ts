import { type ComponentType, createElement, type ReactNode, Suspense, use } from 'react'

interface LazyPart<Props> {
  readonly Part: ComponentType<Props>
  /** Begins to load it, so that nobody waits when it is wanted. */
  readonly preload: () => void
}

/**
 * A part of a screen whose code is loaded on its own. Unlike `lazy` of React, one that is there already is drawn at once, without
 * its fallback for a moment, and one that could not be loaded is asked for again the next time.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | null = null
  let loading: Promise<ComponentType<Props>> | null = null
  const begin = () => {
    loading ??= load().then(
      part => {
        loaded = part
        return part
      },
      error => {
        loading = null
        throw error
      },
    )
    return loading
  }
  return {
    Part: props => createElement(loaded ?? use(begin()), props),
    preload() {
      begin().catch(() => {})
    },
  }
}

/** A part that nobody waits for. @param fallback what is shown in its place until it is loaded */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
) {
  const { Part } = lazyPart(load)
  return (props: Props) => createElement(Suspense, { fallback }, createElement(Part, props))
}

/** Milliseconds after which it is done although the browser is busy. */
const LATEST = 1000

/** Does it when the browser has nothing else to do. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: LATEST })
  else setTimeout(work, LATEST)
}

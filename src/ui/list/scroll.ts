/** Pixels after which the header has a shadow. */
const SHADOW_AFTER = 10

/**
 * Marks the document when it is scrolled, for the header's shadow. It does not read `scrollY` before the first scroll
 * event, which would force an early layout; a page that opens half-way down has that event too.
 */
export function markScrolling() {
  const mark = () => document.documentElement.toggleAttribute('data-scrolled', scrollY > SHADOW_AFTER)
  addEventListener('scroll', mark, { passive: true })
}

/** Pixels after which the header has a shadow. */
const SHADOW_AFTER = 10

/**
 * Notes on the document whether it has been scrolled, for the header's shadow. It does not look before the first
 * scroll, which a page that is opened half-way has too: to ask where the page stands would have it laid out early.
 */
export function markScrolling() {
  const mark = () => document.documentElement.toggleAttribute('data-scrolled', scrollY > SHADOW_AFTER)
  addEventListener('scroll', mark, { passive: true })
}

import type { SiteSettings } from './site-settings.ts'

/** What the island says about itself and about each slide, as data. */
export function carouselTexts({ texts: { carousel }, content: { slides }, live }: SiteSettings) {
  const hasFinder = (live.site.finderQuestions ?? []).length > 0
  return {
    ...carousel,
    position: slides.map((_, index) => carousel.position(index + 1, slides.length)),
    choose: slides.map(({ title }, index) => carousel.choose(index + 1, title)),
    fitsUrl: hasFinder ? '#visa-finder' : '/visas',
  }
}

export type CarouselTexts = ReturnType<typeof carouselTexts>

import type { Texts } from '../../i18n/texts.ts'

/** What the island says about itself and about each slide, as data. */
export function carouselTexts(texts: Texts['carousel'], slides: readonly { readonly title: string }[]) {
  return {
    ...texts,
    position: slides.map((_, index) => texts.position(index + 1, slides.length)),
    choose: slides.map(({ title }, index) => texts.choose(index + 1, title)),
  }
}

export type CarouselTexts = ReturnType<typeof carouselTexts>

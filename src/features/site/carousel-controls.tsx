import type { Content } from '../../content/schema.ts'
import type { CarouselTexts } from './carousel-texts.ts'

/** Dots, a button that stops the slides, and arrows. */
export function CarouselControls({
  texts,
  slides,
  current,
  isHydrated,
  isStopped,
  onTurn,
  onChoose,
  onStop,
}: {
  texts: CarouselTexts
  slides: readonly Content['slides'][number][]
  current: number
  isHydrated: boolean
  isStopped: boolean
  onTurn: (step: number) => void
  onChoose: (index: number) => void
  onStop: () => void
}) {
  return (
    <div className="site-carousel-controls">
      <div className="site-carousel-dots">
        {slides.map((slide, index) => (
          <button
            key={slide.title}
            type="button"
            className="site-carousel-dot"
            aria-label={texts.choose[index]}
            aria-current={index === current ? 'true' : undefined}
            onClick={() => onChoose(index)}
          />
        ))}
        <button
          type="button"
          className="site-carousel-stop"
          data-waiting={isHydrated ? undefined : ''}
          onClick={onStop}
        >
          <Icon path={isStopped ? 'M8 5l11 7-11 7z' : 'M9 5v14M15 5v14'} />
          <span className="visually-hidden">{isStopped ? texts.start : texts.stop}</span>
        </button>
      </div>
      <button
        type="button"
        className="site-carousel-arrow"
        aria-label={texts.previous}
        onClick={() => onTurn(-1)}
      >
        <Icon path="M15 5l-7 7 7 7" />
      </button>
      <button type="button" className="site-carousel-arrow" aria-label={texts.next} onClick={() => onTurn(1)}>
        <Icon path="M9 5l7 7-7 7" />
      </button>
    </div>
  )
}

function Icon({ path }: { path: string }) {
  return (
    <svg className="site-carousel-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

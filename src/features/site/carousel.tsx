import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Content } from '../../content/schema.ts'
import type { CarouselTexts } from './carousel-texts.ts'
import { SlidePicture } from './slide-picture.tsx'

type Slide = Content['slides'][number]

/** Milliseconds that each slide is shown. */
const SLIDE_DURATION = 15_000
/** Pixels that a finger must move to count as a swipe. */
const MIN_SWIPE = 40

/**
 * The hero: slides that advance automatically until someone hovers or focuses them, or prefers reduced motion. Without
 * a script the first one is shown, and the others can be scrolled to.
 */
export function Carousel({ slides, texts }: { slides: readonly Slide[]; texts: CarouselTexts }) {
  const [current, setCurrent] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const [isStopped, setStopped] = useState(false)
  const [isHydrated, setHydrated] = useState(false)
  const section = useRef<HTMLElement>(null)
  const swipeStart = useRef<number | null>(null)
  const isAutoPlaying = isHydrated && !isPaused && !isStopped

  useEffect(() => {
    setHydrated(true)
    // It may have been hovered or focused before the script ran.
    setPaused(section.current?.matches(':hover, :focus-within') ?? false)
    const lessMotion = matchMedia('(prefers-reduced-motion: reduce)')
    const stop = () => lessMotion.matches && setStopped(true)
    stop()
    lessMotion.addEventListener('change', stop)
    return () => lessMotion.removeEventListener('change', stop)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a slide that was chosen manually is also shown for its full time
  useEffect(() => {
    if (!isAutoPlaying) return
    const timer = setInterval(() => setCurrent(index => (index + 1) % slides.length), SLIDE_DURATION)
    return () => clearInterval(timer)
  }, [isAutoPlaying, current, slides.length])

  function turn(step: number) {
    setCurrent(index => (index + step + slides.length) % slides.length)
  }

  function finishSwipe(event: PointerEvent) {
    const moved = swipeStart.current === null ? 0 : event.clientX - swipeStart.current
    swipeStart.current = null
    if (Math.abs(moved) > MIN_SWIPE) turn(moved < 0 ? 1 : -1)
  }

  return (
    <section
      ref={section}
      className="site-carousel"
      aria-roledescription={texts.carousel}
      aria-label={texts.label}
      onPointerEnter={event => event.pointerType === 'mouse' && setPaused(true)}
      onPointerLeave={event => event.pointerType === 'mouse' && setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={event => !event.currentTarget.contains(event.relatedTarget) && setPaused(false)}
      onPointerDown={event => {
        swipeStart.current = event.pointerType === 'mouse' ? null : event.clientX
      }}
      onPointerUp={finishSwipe}
      onKeyDown={event => {
        if (event.key === 'ArrowLeft') turn(-1)
        if (event.key === 'ArrowRight') turn(1)
      }}
    >
      {/* Slides that advance automatically are not read out: nobody asked for them. */}
      <div className="site-carousel-slides" aria-live={isAutoPlaying ? 'off' : 'polite'}>
        {slides.map((slide, index) => (
          <SlideView
            key={slide.title}
            slide={slide}
            texts={texts}
            label={texts.position[index]}
            isFirst={index === 0}
            isCurrent={index === current}
            isHydrated={isHydrated}
          />
        ))}
      </div>
      <Controls
        texts={texts}
        slides={slides}
        current={current}
        isHydrated={isHydrated}
        isStopped={isStopped}
        onTurn={turn}
        onChoose={setCurrent}
        onStop={() => setStopped(!isStopped)}
      />
    </section>
  )
}

function SlideView({
  slide,
  texts,
  label,
  isFirst,
  isCurrent,
  isHydrated,
}: {
  slide: Slide
  texts: CarouselTexts
  label: string | undefined
  isFirst: boolean
  isCurrent: boolean
  isHydrated: boolean
}) {
  const Title = isFirst ? 'h1' : 'h2'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide is a group with a role description, not a set of fields
    <div
      className="site-slide"
      role="group"
      aria-roledescription={texts.slide}
      aria-label={label}
      data-current={isCurrent ? '' : undefined}
      inert={isHydrated && !isCurrent}
    >
      {/* The other pictures wait for the script, so that they do not compete with visible content. */}
      {(isFirst || isHydrated) && <SlidePicture slide={slide} priority={isFirst ? 'high' : 'low'} />}
      <div className="site-slide-text">
        <Title className="site-slide-title">{slide.title}</Title>
        <p>{slide.description}</p>
        <div className="site-slide-actions">
          <a className="button button-accent button-large" href={slide.buttonLink}>
            {slide.buttonText}
          </a>
          <a className="button button-large site-slide-second" href={texts.fitsUrl}>
            {texts.fits}
          </a>
        </div>
      </div>
    </div>
  )
}

function Controls({
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
  slides: readonly Slide[]
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

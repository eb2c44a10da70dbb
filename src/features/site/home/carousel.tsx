import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { SiteBody } from '../../../content/site-body.ts'
import { Picture, slideImages } from '../blocks/picture.tsx'
import type { SiteSettings } from '../site-settings.ts'

type Slide = SiteBody['slides'][number]

/** Milliseconds that each slide is shown. */
const SLIDE_DURATION = 15_000
/** Milliseconds in which the pictures of the other slides load before one is shown by itself, on a slow line too. */
const PICTURE_LEAD = 5000
/** Pixels that a finger must move to count as a swipe. */
const MIN_SWIPE = 40

/**
 * The hero: slides that advance automatically while they are in view, until someone hovers or focuses them, or prefers
 * reduced motion. Without a script the first one is shown, and the others can be scrolled to.
 */
export function Carousel({ slides, texts }: { slides: readonly Slide[]; texts: CarouselTexts }) {
  const [current, setCurrent] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const [isStopped, setStopped] = useState(false)
  const [isHydrated, setHydrated] = useState(false)
  const [isNear, setNear] = useState(false)
  const section = useRef<HTMLElement>(null)
  const swipeStart = useRef<number | null>(null)
  // Out of sight no slide turns, so nobody's data is spent on a picture that nobody sees.
  const isAutoPlaying = useSeen(section) && slides.length > 1 && isHydrated && !isPaused && !isStopped
  // A landscape takes a phone as long as all of React, so the others come when one of them is about to be seen.
  const areOthersNear = isNear || current !== 0

  useEffect(() => {
    setHydrated(true)
    // It may have been hovered or focused before the script ran.
    const isUsed = section.current?.matches(':hover, :focus-within') ?? false
    setPaused(isUsed)
    setNear(isUsed)
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

  useEffect(() => {
    if (!isAutoPlaying) return
    const timer = setTimeout(() => setNear(true), SLIDE_DURATION - PICTURE_LEAD)
    return () => clearTimeout(timer)
  }, [isAutoPlaying])

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
      onPointerEnter={event => {
        setNear(true)
        if (event.pointerType === 'mouse') setPaused(true)
      }}
      onPointerLeave={event => event.pointerType === 'mouse' && setPaused(false)}
      onFocus={() => {
        setNear(true)
        setPaused(true)
      }}
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
            key={slide.id}
            slide={slide}
            texts={texts}
            label={texts.position[index]}
            isFirst={index === 0}
            isCurrent={index === current}
            isHydrated={isHydrated}
            hasPicture={index === 0 || areOthersNear}
          />
        ))}
      </div>
      {slides.length > 1 && (
        <CarouselControls
          texts={texts}
          slides={slides}
          current={current}
          isHydrated={isHydrated}
          isStopped={isStopped}
          onTurn={turn}
          onChoose={setCurrent}
          onStop={() => setStopped(!isStopped)}
        />
      )}
    </section>
  )
}

interface SlideViewProps {
  readonly slide: Slide
  readonly texts: CarouselTexts
  readonly label: string | undefined
  readonly isFirst: boolean
  readonly isCurrent: boolean
  readonly isHydrated: boolean
  readonly hasPicture: boolean
}

function SlideView({ slide, texts, label, isFirst, isCurrent, isHydrated, hasPicture }: SlideViewProps) {
  // The page has one at all times: those that are turned away are read by nobody.
  const Title = isCurrent ? 'h1' : 'h2'
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
      {hasPicture && <SlidePicture slide={slide} priority={isFirst ? 'high' : 'low'} />}
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

interface CarouselControlsProps {
  readonly texts: CarouselTexts
  readonly slides: readonly Slide[]
  readonly current: number
  readonly isHydrated: boolean
  readonly isStopped: boolean
  readonly onTurn: (step: number) => void
  readonly onChoose: (index: number) => void
  readonly onStop: () => void
}

function CarouselControls({ texts, slides, current, onTurn, ...props }: CarouselControlsProps) {
  const { isHydrated, isStopped, onChoose, onStop } = props
  return (
    <div className="line site-carousel-controls">
      <div className="line site-carousel-dots">
        {slides.map((slide, index) => (
          <button
            key={slide.id}
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
    <svg className="icon site-carousel-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/** Whether a part of the page is in view, in a tab that is shown. */
function useSeen(part: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    let isInView = false
    const update = () => setSeen(isInView && !document.hidden)
    const observer = new IntersectionObserver(entries => {
      isInView = entries.at(-1)?.isIntersecting ?? isInView
      update()
    })
    if (part.current) observer.observe(part.current)
    document.addEventListener('visibilitychange', update)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', update)
    }
  }, [part])
  return isSeen
}

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

/** On a phone the middle half of it is seen, and half of the pixels of its screen are enough under the text. */
const SIZES = '(max-width: 560px) 50vw, 100vw'

interface SlidePictureProps {
  readonly slide: Pick<Slide, 'image' | 'picture'>
  readonly priority?: 'high' | 'low'
}

export function SlidePicture({ slide: { image, picture }, priority }: SlidePictureProps) {
  const className = 'site-cover site-slide-picture'
  if (picture) return <Picture use={picture} className={className} sizes={SIZES} priority={priority} />
  return (
    <img
      className={className}
      src={slideImages[image]}
      alt=""
      width={1600}
      height={500}
      fetchPriority={priority}
    />
  )
}

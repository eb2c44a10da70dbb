import { editable } from './editable.ts'
import type { SiteSettings } from './layout.tsx'
import { SlidePicture } from './slide-picture.tsx'

/** The slides of a draft, one below the other, because a preview runs no script that could turn them. */
export function SlidesPreview({ site }: { site: SiteSettings }) {
  return site.content.slides.map((slide, at) => {
    const { image, title, description, buttonText, buttonLink } = slide
    const edit = (field: string) => editable(site, `slides.${at}.${field}`)
    const Title = at === 0 ? 'h1' : 'h2'
    return (
      <section key={image} className="site-carousel">
        <div className="site-carousel-slides">
          <div className="site-slide" data-current="" {...edit('picture')}>
            <SlidePicture slide={slide} />
            <div className="site-slide-text">
              <Title className="site-slide-title" {...edit('title')}>
                {title}
              </Title>
              <p {...edit('description')}>{description}</p>
              <div className="site-slide-actions">
                <a className="button button-accent button-large" href={buttonLink} {...edit('buttonText')}>
                  {buttonText}
                </a>
              </div>
            </div>
          </div>
        </div>
      </section>
    )
  })
}

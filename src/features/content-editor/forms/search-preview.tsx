import { isObject, valueAt } from '../../../content/json.ts'
import { pictureUrl, widths } from '../../../pictures/sizes.ts'
import { SHOWN_SUMMARY } from '../contract.ts'
import { isPictureUse } from '../inputs/picture-parts.ts'
import { useDocumentForm } from './form-context.ts'

/** Characters, as `SHOWN_SUMMARY` is. */
const MAX_TITLE = 60

/** About what people see of a page in a search result, and where somebody shares it. */
export function SearchPreview() {
  const { body } = useDocumentForm()
  const isSite = isObject(body.company)
  const text = (...paths: readonly string[]) =>
    paths
      .map(path => valueAt(body, path))
      .find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? ''
  const title = isSite ? text('home.title', 'slides.0.title') : text('searchTitle', 'title')
  const description = isSite ? text('home.description', 'slides.0.description') : text('description')
  const picture = body.socialPicture
  return (
    <figure className="content-editor-search" aria-label="How it looks in a search result">
      {isPictureUse(picture) && (
        <img
          className="content-editor-search-picture"
          src={pictureUrl(picture.picture, widths(picture.width)[0] ?? picture.width, 'webp')}
          alt=""
        />
      )}
      <p className="quiet tiny">
        {location.host}
        {isSite ? '' : text('path').replaceAll('/', ' › ')}
      </p>
      <p className="content-editor-search-title">{cut(title, MAX_TITLE) || 'Without a title'}</p>
      <p className="quiet small">{cut(description, SHOWN_SUMMARY) || 'Without a summary'}</p>
    </figure>
  )
}

/** At a space, as search engines do. Exported for its test. */
export function cut(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  const start = characters.slice(0, length).join('')
  return `${start.replace(/\s+\S*$/, '')} …`
}

import { drawJpeg, drawPng } from '../tests/support/pictures.ts'
import { type Call, findId, openContentCalls } from './content-calls.ts'

/** Pixels: what the portal sends at most. */
const PHOTOGRAPH = [2560, 1600] as const
/** Pixels, without noise. */
const LOGO = [512, 512, 0] as const
const ARTICLE = '/news/six-pictures'
const PICTURES = 6

/**
 * Gives the home page an uploaded picture behind its first slide, and adds an article with six pictures, as an editor
 * would. @returns the paths of both
 */
export async function illustrate(url: string, token: string): Promise<readonly string[]> {
  const call = openContentCalls(url, token)
  const site = (await findId(call, '/')) ?? ''
  const { draft } = await call('GET', `/${site}`)
  const [first, ...others] = draft.body.slides
  const slides = [{ ...first, picture: await upload(call) }, ...others]
  await publish(call, site, { ...draft.body, slides })
  const { document } = await call('POST', '', { kind: 'article', path: ARTICLE, title: 'Six pictures' })
  await publish(call, document.id, await articleBody(call))
  return ['/', ARTICLE]
}

/** Gives the site a logo, colours that are adjusted, and other typefaces. @returns paths of pages that show them */
export async function brand(url: string, token: string): Promise<readonly string[]> {
  const call = openContentCalls(url, token)
  const site = (await findId(call, '/')) ?? ''
  const { draft } = await call('GET', `/${site}`)
  const { picture } = await call('POST', '/pictures/logo', drawPng(...LOGO))
  const colours = { main: '#7a2e4a', accent: '#e8c170' }
  await publish(call, site, {
    ...draft.body,
    brand: { ...colours, pairing: 'gazette', logo: { picture: picture.id } },
  })
  return ['/', '/contact']
}

/** @returns its use in a body */
async function upload(call: Call) {
  const { picture } = await call('POST', '/pictures', await drawJpeg(...PHOTOGRAPH))
  const { id, width, height } = picture
  return { picture: id, width, height, alt: 'A harbour in the morning', decoration: false, focus: 13 }
}

async function publish(call: Call, id: string, body: object) {
  const { draft } = await call('GET', `/${id}`)
  const { revision } = await call('PUT', `/${id}/draft`, { body, revision: draft.revision })
  await call('POST', `/${id}/publish`, { revision })
}

async function articleBody(call: Call) {
  const blocks: object[] = []
  for (let at = 1; at <= PICTURES; at++) {
    const text = 'What our work costs, and what the Department asks for. '.repeat(5).trim()
    const content = [{ type: 'paragraph', content: [{ type: 'text', text }] }]
    blocks.push({ id: `text-${at}`, type: 'text', text: { type: 'doc', content } })
    blocks.push({ id: `picture-${at}`, type: 'picture', picture: await upload(call), caption: null })
  }
  return { path: ARTICLE, title: 'Six pictures', description: 'What we saw.', author: 'Robin Editor', blocks }
}

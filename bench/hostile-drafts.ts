import { doc, paragraph } from '../tests/support/documents.ts'
import { openSessionCalls } from './content-calls.ts'
import type { Case, Figure, Target } from './hostile-target.ts'
import { MAX_WAIT, mostWait, watchOthers } from './hostile-waits.ts'

const ROUNDS = 5
/** Paragraphs of 20,000 characters, the most that one may have: 900 KB, and as many as may be published. */
const LONG = 45
const PUBLISHED = 12
const PATH = '/hostile'

/** @param blocks the paragraphs of each */
const pageOf = (blocks: readonly (readonly string[])[]) => ({
  ...{ path: PATH, title: 'Hostile', description: 'A page of one sentence.' },
  blocks: blocks.map((texts, at) => ({ id: `text-${at}`, type: 'text', text: doc(...texts.map(paragraph)) })),
})
const page = (texts: readonly string[]) => pageOf([texts])

/** Each round has another text, so that what was found in the one before it does not help. */
const fill = (at: number, characters = 20_000) => {
  const unit = `subclass 188 ${at} `
  return unit.repeat(Math.floor(characters / unit.length))
}

/** By what makes it long. */
const drafts: Record<string, (at: number) => object> = {
  'long paragraphs': at => page(Array(LONG).fill(fill(at))),
  'three thousand paragraphs': at => pageOf(Array(4).fill(Array(750).fill(fill(at, 200)))),
  'nothing but escapes': at => page(Array(22).fill(`${at}${'\n"'.repeat(9900)}`)),
}

/** An editor saves, opens, previews, restores and publishes the longest documents. */
export const hostileDrafts: Case = {
  name: 'A7: an editor writes what takes long to read',

  async measure(target) {
    const call = await openSessionCalls(target)
    const { document } = await call('POST', '', { kind: 'page', path: PATH, title: 'Hostile' })
    const place = `/${document.id}`
    const save = async (body: object) => {
      const { draft } = await call('GET', place)
      return await call('PUT', `${place}/draft`, { body, revision: draft.revision })
    }
    const publish = async (body: object) => {
      const { revision } = await save(body)
      await call('POST', `${place}/publish`, { revision })
    }
    const short = await watch(target, async at => await publish(page([`Version ${at}.`])))
    const figures: Figure[] = []
    const measure = async (name: string, work: (at: number) => Promise<unknown>) => {
      const { wait, held } = await watch(target, work)
      const beside = (value: number) => `(publishing a short page ${value.toFixed(0)})`
      figures.push(
        { name: `${name}: ms that others wait ${beside(short.wait)}`, value: wait, most: mostWait(short) },
        { name: `${name}: ms held ${beside(short.held)}`, value: held, most: MAX_WAIT },
      )
    }
    for (const [name, make] of Object.entries(drafts)) {
      await measure(`saving ${name}`, async at => await save(make(at)))
      await measure(`opening ${name}`, async () => await call('GET', place))
      await measure(`the preview of ${name}`, async () => await preview(target, place))
      await measure(`restoring a version over ${name}`, async at => {
        await call('POST', `${place}/versions/1/restore`)
        await save(make(at))
      })
    }
    await measure('publishing', async at => await publish(page(Array(PUBLISHED).fill(fill(at)))))
    return figures
  },
}

/** Code is compiled when it runs for the first time. */
async function watch(target: Target, work: (at: number) => Promise<unknown>) {
  let at = 0
  await work(at)
  return await watchOthers(target, async () => {
    for (let round = 0; round < ROUNDS; round++) await work(++at)
  })
}

async function preview({ url, cookie }: Target, place: string) {
  const response = await fetch(`${url}/preview${place}/`, { headers: { cookie } })
  if (!response.ok) throw new Error(`preview: ${response.status}`)
  await response.arrayBuffer()
}

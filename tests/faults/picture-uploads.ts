import { randomBytes } from 'node:crypto'
import { newId } from '../../src/database/id.ts'
import { widths } from '../../src/pictures/sizes.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { addEditor } from '../support/editor-token.ts'
import { drawPng } from '../support/pictures.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { FAULT_TIMEOUT, type Fault, pause, waitUntil } from './fault.ts'
import { openUnmigratedDatabase } from './inspect-database.ts'
import { installProduct, type Product } from './product.ts'

const EDITORS = 2
const SIZE = { width: 24, height: 18 }

/** What the calls of one editor were acknowledged to have stored. */
interface UploadRecord {
  /** Ids of pictures that were not deleted, nor was that tried. */
  readonly added: Set<string>
  publications: number
}

export const picturesUploaded: Fault = {
  name: 'F20',
  title: 'kill -9 of the product while pictures are uploaded, published and deleted',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    await product.start()
    const editors = await Promise.all(Array.from({ length: EDITORS }, () => startEditor(product)))
    const count = () => editors.reduce((sum, { record }) => sum + record.publications, 0)
    const wanted = run.cycles(20, 200, 6)
    let cycles = 0
    try {
      for (; count() < wanted && !run.signal.aborted; cycles++) {
        const before = count()
        if (!(await waitUntil(() => count() > before)))
          throw new Error(`Nothing more is published: ${product.console().slice(-500)}`)
        await pause(run.random() * 1500)
        await product.kill()
        await product.start()
        run.showProgress(`${count()} of ${wanted} publications, killed ${cycles + 1} times`)
      }
    } finally {
      await Promise.all(editors.map(editor => editor.end()))
    }
    const { lost, failures } = await compare(
      product,
      editors.flatMap(({ record }) => [...record.added]),
    )
    await product.close()
    await mail.close()
    return { cycles, acknowledged: count(), duplicated: 0, lost, failures }
  },
}

/** Publishes one page again and again, each time with another picture, and deletes the one before, until `end` is called. */
async function startEditor(product: Product) {
  const token = await addEditor(product)
  async function call(method: string, place: string, body?: object | Uint8Array<ArrayBuffer>) {
    const isBytes = body instanceof Uint8Array
    const reply = await fetch(`${product.url}/api/content${place}`, {
      method,
      signal: AbortSignal.timeout(FAULT_TIMEOUT / 2),
      headers: { Authorization: `Bearer ${token}`, ...(!isBytes && { 'Content-Type': 'application/json' }) },
      ...(body && { body: isBytes ? body : JSON.stringify(body) }),
    }).catch(() => null)
    return { status: reply?.status ?? 0, body: await reply?.json().catch(() => null) }
  }
  const path = `/page-${newId(systemClock()).slice(-12)}`
  const { body: created } = await call('POST', '', { kind: 'page', path, title: 'Pictures' })
  const record: UploadRecord = { added: new Set(), publications: 0 }
  const { id } = created.document
  let revision = 1
  let isOver = false

  async function publishNext(before: string | null): Promise<string | null> {
    // What follows the end of a picture makes it another one.
    const uploaded = await call('POST', '/pictures', new Uint8Array(Buffer.concat([png, randomBytes(8)])))
    const picture: string | undefined = uploaded.body?.picture?.id
    if (uploaded.status !== 201 || !picture) return before
    record.added.add(picture)
    const saved = await call('PUT', `/${id}/draft`, { body: pageWith(path, picture), revision })
    if (saved.status === 400) throw new Error(`A page with a picture was refused: ${saved.body?.message}`)
    if (saved.status !== 200 && saved.status !== 409) return before
    revision = saved.body.revision ?? saved.body.draft.revision
    if (saved.status === 409) return before
    const { status } = await call('POST', `/${id}/publish`, { revision })
    if (status !== 200) return before
    record.publications++
    // Refused, since the page needs it.
    await call('DELETE', `/pictures/${picture}`)
    if (before) {
      record.added.delete(before)
      await call('DELETE', `/pictures/${before}`)
    }
    return picture
  }

  async function keepPublishing() {
    for (let picture: string | null = null; !isOver; ) {
      const next: string | null = await publishNext(picture)
      if (next === picture) await pause(50)
      picture = next
    }
  }

  const publishing = keepPublishing()
  return {
    record,
    async end() {
      isOver = true
      await publishing
    },
  }
}

const png = drawPng(SIZE.width, SIZE.height)

function pageWith(path: string, picture: string) {
  const use = { picture, ...SIZE, alt: 'A colour', decoration: false, focus: 13 }
  const blocks = [{ id: 'a', type: 'picture', picture: use, caption: null }]
  return { path, title: 'Pictures', description: 'A page with a picture', blocks }
}

/** Every acknowledged upload must be there in all sizes, and every picture that a live page or a draft of it names. */
async function compare(product: Product, added: readonly string[]) {
  const db = await openUnmigratedDatabase(product)
  const files = await db.selectFrom('picture_files').select(['picture_id', 'name']).execute()
  const whole = widths(SIZE.width).length * 2
  const isWhole = (id: string) => files.filter(file => file.picture_id === id).length === whole
  const live = await db
    .selectFrom('content_publications as publication')
    .innerJoin('content_version_pictures as named', 'named.version_id', 'publication.version_id')
    .select('named.picture_id')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('content_publications as later')
            .select('later.id')
            .whereRef('later.document_id', '=', 'publication.document_id')
            .whereRef('later.id', '>', 'publication.id'),
        ),
      ),
    )
    .execute()
  await db.destroy()
  const missing = live.filter(({ picture_id }) => !isWhole(picture_id))
  const failures = missing.map(({ picture_id }) => `a live page names ${picture_id}, which is missing`)
  if (live.length !== EDITORS) failures.push(`${live.length} of ${EDITORS} live pages name a picture`)
  const stored = new Set(files.map(file => file.picture_id))
  for (const id of stored) if (!isWhole(id)) failures.push(`half of the picture ${id} is stored`)
  return { lost: added.filter(id => !isWhole(id)).length, failures }
}

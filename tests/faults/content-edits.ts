import { newId } from '../../src/database/id.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { addEditor } from '../support/editor-token.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { FAULT_TIMEOUT, type Fault, pause, waitUntil } from './fault.ts'
import { openUnmigratedDatabase } from './inspect-database.ts'
import { installProduct, type Product } from './product.ts'

const EDITORS = 4
/** Each of so many edits is a publication. */
const PUBLISH_EVERY = 3

/** What the calls of one editor, who edits one page, were acknowledged to have stored. */
interface EditorRecord {
  id: string
  revision: number
  title: string
  /** Titles by the number of the version. */
  readonly versions: Map<number, string>
  edits: number
  /** Saved drafts that a later reply showed to be missing. */
  missing: number
}

export const contentEdited: Fault = {
  name: 'F19',
  title: 'kill -9 of the product while content is saved and published',
  engines: ['SQLite', 'PostgreSQL'],
  async execute(run) {
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url })
    await product.start()
    // One after the other: each opens the database, beside the product.
    const editors: Awaited<ReturnType<typeof startEditor>>[] = []
    while (editors.length < EDITORS) editors.push(await startEditor(product))
    const count = () => editors.reduce((sum, { record }) => sum + record.edits, 0)
    const wanted = run.cycles(200, 2000, 30)
    const unserved: (string | undefined)[] = []
    let cycles = 0
    try {
      for (; count() < wanted && !run.signal.aborted; cycles++) {
        const before = count()
        if (!(await waitUntil(() => count() > before)))
          throw new Error(`Nothing more is saved: ${product.console().slice(-500)}`)
        await pause(5 + run.random() * 60)
        await product.kill()
        await product.start()
        unserved.push(await checkSite(product))
        run.showProgress(`${count()} of ${wanted} edits, killed ${cycles + 1} times`)
      }
    } finally {
      await Promise.all(editors.map(editor => editor.end()))
    }
    const { lost, failures } = await compare(
      product,
      editors.map(({ record }) => record),
    )
    await product.close()
    await mail.close()
    const all = [...failures, ...unserved.filter(failure => failure !== undefined)]
    return { cycles, acknowledged: count(), duplicated: 0, lost, failures: all }
  },
}

/** Edits one page, one edit after the other, until `end` is called. */
async function startEditor(product: Product) {
  const token = await addEditor(product)
  const call = async (method: string, place: string, body?: object) => {
    const reply = await fetch(`${product.url}/api/content${place}`, {
      method,
      signal: AbortSignal.timeout(FAULT_TIMEOUT / 2),
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null)
    return { status: reply?.status ?? 0, body: await reply?.json().catch(() => null) }
  }
  const path = `/page-${newId(systemClock()).slice(-12)}`
  const created = await call('POST', '', { kind: 'page', path, title: 'First' })
  const record: EditorRecord = {
    id: created.body.document.id,
    revision: 1,
    title: 'First',
    versions: new Map(),
    edits: 0,
    missing: 0,
  }
  let isOver = false

  async function edit(number: number) {
    if (number % PUBLISH_EVERY === 0) {
      const { title } = record
      const { status, body } = await call('POST', `/${record.id}/publish`, { revision: record.revision })
      if (status === 200) record.versions.set(body.version.number, title)
      return status
    }
    const title = `Edit number ${number}`
    const text = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: title }] }] }
    const page = { path, title, description: title, blocks: [{ id: 'a', type: 'text', text }] }
    const { status, body } = await call('PUT', `/${record.id}/draft`, {
      body: page,
      revision: record.revision,
    })
    if (status === 200) Object.assign(record, { revision: body.revision, title })
    if (status === 409) readConflict(record, body.draft)
    return status
  }

  async function keepEditing() {
    for (let number = 1; !isOver; number++) {
      if ((await edit(number)) === 200) record.edits++
      else await pause(50)
    }
  }

  const editing = keepEditing()
  return {
    record,
    async end() {
      isOver = true
      await editing
    },
  }
}

/** Saved by a call whose reply was lost: its draft is the one that the conflict shows. An older one was lost. */
function readConflict(record: EditorRecord, draft: { revision: number; body: { title: string } }) {
  if (draft.revision < record.revision) record.missing++
  Object.assign(record, { revision: draft.revision, title: draft.body.title })
}

/** @returns what is wrong with the home page; undefined when visitors get all of it */
async function checkSite({ url }: Product): Promise<string | undefined> {
  const reply = await fetch(url).catch(() => null)
  const isWhole = reply?.status === 200 && (await reply.text()).endsWith('</html>')
  return isWhole ? undefined : `after a kill the home page got ${reply?.status ?? 0}, or half of it`
}

/** Everything that was acknowledged must be there, and each version must be whole and have been published. */
async function compare(product: Product, records: readonly EditorRecord[]) {
  const db = await openUnmigratedDatabase(product)
  const failures: string[] = []
  let lost = 0
  for (const { id, revision, title, versions, missing } of records) {
    lost += missing
    // One statement: a transaction of the killed product may still be committing.
    const rows = await db
      .selectFrom('content_drafts as draft')
      .leftJoin('content_versions as version', 'version.document_id', 'draft.document_id')
      .leftJoin('content_publications as publication', 'publication.version_id', 'version.id')
      .select(['draft.revision', 'draft.body as draft', 'draft.base_version_id as base'])
      .select(['version.id as version', 'version.number', 'version.body', 'publication.id'])
      .where('draft.document_id', '=', id)
      .orderBy('publication.id')
      .execute()
    const draft = rows[0]
    if (!draft || draft.revision < revision) lost++
    if (draft?.revision === revision && readTitle(draft.draft) !== title) lost++
    const published = rows.filter(row => row.version !== null)
    const titles = new Map(published.map(row => [row.number, readTitle(row.body)]))
    for (const [number, expected] of versions) if (titles.get(number) !== expected) lost++
    if (published.some(row => row.id === null)) failures.push('a version was stored without its publication')
    // What is live is the last publication, and the draft knows that it began as that version.
    const last = published.at(-1)
    const base = published.find(({ version }) => version === draft?.base)
    if (last !== base)
      failures.push(
        `a draft does not know its version: ${last?.number} was published last, it began as ${base?.number}`,
      )
    if (titles.size !== published.length) failures.push('a version was published twice')
  }
  await db.destroy()
  return { lost, failures }
}

function readTitle(body: string | null): unknown {
  return body && JSON.parse(body).title
}

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PrivatePostgres, startPostgres } from '../scripts/postgres.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { addEditor } from '../tests/support/editor-token.ts'
import { type Call, findId, openContentCalls } from './content-calls.ts'
import { clearAtExit, type Measured, startLandfall } from './process.ts'
import { markerOf } from './publications-marker.ts'

/** Nodes on one database, and an editor. */
export interface Nodes {
  readonly engine: string
  /** The first is where the editor publishes. */
  readonly nodes: readonly Measured[]
  readonly token: string
  close(): Promise<void>
}

/** One node on SQLite. */
export async function openSqliteNode(): Promise<Nodes> {
  const dataDir = await newFolder()
  const node = await startLandfall({ DATA_DIR: dataDir })
  const token = await addEditor({ dataDir, databaseUrl: null })
  return { engine: 'SQLite', nodes: [node], token, close: node.close }
}

/** Two nodes on PostgreSQL; null without it. */
export async function openPostgresNodes(): Promise<Nodes | null> {
  const postgres = await startPostgres()
  if (!postgres) return null
  process.once('exit', postgres.stop)
  const databaseUrl = await createTestDatabase(postgres.url)
  if (!databaseUrl) return null
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY: 'a secret of thirty-two characters, or more' }
  const nodes = [await startNode(env), await startNode(env)]
  const token = await addEditor({ dataDir: '', databaseUrl })
  return { engine: 'PostgreSQL', nodes, token, close: async () => await closeAll(nodes, postgres) }
}

async function closeAll(nodes: readonly Measured[], postgres: PrivatePostgres) {
  for (const node of nodes) await node.close()
  process.off('exit', postgres.stop)
  postgres.stop()
}

async function startNode(env: NodeJS.ProcessEnv): Promise<Measured> {
  return await startLandfall({ ...env, DATA_DIR: await newFolder() })
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-publications-'))
  clearAtExit(folder)
  return folder
}

/** A document that an editor publishes again and again. */
export interface Edited {
  readonly path: string
  /** Publishes a revision. @returns the milliseconds that the publication took */
  publish(revision: number): Promise<number>
}

/** @param path `/` for the site document; a page is added where there is none */
export async function openDocument({ nodes, token }: Nodes, path: string): Promise<Edited> {
  const call = openContentCalls(nodes[0]?.url ?? '', token)
  const found = await findId(call, path)
  const id = found ?? (await addPage(call, path))
  let { revision: saved, body } = (await call('GET', `/${id}`)).draft
  return {
    path,
    async publish(revision) {
      const marker = markerOf(path, revision)
      body = found ? withMarker(body, path, marker) : pageBody(path, marker)
      saved = (await call('PUT', `/${id}/draft`, { body, revision: saved })).revision
      const start = performance.now()
      await call('POST', `/${id}/publish`, { revision: saved })
      return performance.now() - start
    },
  }
}

async function addPage(call: Call, path: string): Promise<string> {
  return (await call('POST', '', { kind: 'page', path, title: 'Fees' })).document.id
}

interface MarkedBody {
  readonly slides: readonly { title: string }[]
  readonly blocks: readonly { id: string }[]
}

/** The body with the marker where the page begins and where it ends. */
function withMarker(body: MarkedBody, path: string, marker: string) {
  if (path !== '/') {
    const blocks = body.blocks.filter(({ id }) => id !== LAST_BLOCK)
    return { ...body, title: marker, blocks: [...blocks, textBlock(LAST_BLOCK, [marker])] }
  }
  const [first, ...others] = body.slides
  return { ...body, slides: [{ ...first, title: marker }, ...others], disclaimer: marker }
}

/** Of the length of a page that people read. */
export function pageBody(path: string, marker: string) {
  const texts = [
    ...Array.from({ length: 30 }, () =>
      'What our work costs, and what the Department asks for. '.repeat(5).trim(),
    ),
    marker,
  ]
  const blocks = [textBlock('text-1', texts)]
  return { path, title: marker, description: 'What our work costs.', blocks }
}

const LAST_BLOCK = 'marker'

function textBlock(id: string, texts: readonly string[]) {
  const content = texts.map(text => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
  return { id, type: 'text', text: { type: 'doc', content } }
}

import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** One source that names another, without tests. Paths begin with `src/`. */
export interface Import {
  readonly from: string
  readonly to: string
  /** Only for types, which exist in no program that runs. */
  readonly isType: boolean
}

export const sources = globSync('src/**/*.{ts,tsx}')
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => !/\.test\.tsx?$/.test(file))

/** From the bottom to the top. What stands on a line imports only what stands on it or above it here: tests/rules. */
export const levels: readonly (readonly string[])[] = [
  ['platform/', 'config', 'office-time'],
  ['database/', 'i18n/', 'jobs/', 'log/'],
  // A router asks who is calling, and a screen says who may open it.
  ['auth/', 'http/', 'live/', 'mail/', 'screens'],
  ['bot-check/', 'ui/', 'assets', 'document'],
  ['content/', 'attachments/', 'erasure/', 'pictures/', 'sample/'],
  ['features/'],
  ['backup/', 'portal/'],
  ['entries/'],
]

/** What is in no list is at the top: what starts the program, and the lists of calls, pages, screens and jobs. */
export function levelOf(file: string): number {
  const level = levels.findIndex(names => names.includes(placeOf(file)))
  return level < 0 ? levels.length : level
}

/** The folder of a source, or its name. */
const placeOf = (file: string) => /^src\/([\w-]+\/?)/.exec(file)?.[1] ?? ''

/** What each source imports of the others, also when it does so later. */
export function readImports(): readonly Import[] {
  return sources.flatMap(from => {
    const text = readFileSync(from, 'utf8')
    const named = text.matchAll(/^(?:import|export) (type )?[^;'"]*?'(\.[^']+\.tsx?)'/gm)
    const later = text.matchAll(/import\(()\s*'(\.[^']+\.tsx?)'/g)
    return [...named, ...later].map(([, type, path = '']) => ({
      from,
      to: posix.join(posix.dirname(from), path),
      isType: Boolean(type),
    }))
  })
}

/** A picture of the folders for README.md, in Mermaid's words: an arrow where one imports another, and no shorter way does. */
export function drawImports(): string {
  const level = (file: string) => (levelOf(file) === 0 ? 'config' : placeOf(file).replace('/', ''))
  const folder = (file: string) => (levelOf(file) === levels.length ? 'main' : level(file))
  const isDown = ({ from, to, isType }: Import) => !isType && levelOf(from) > levelOf(to)
  const edges = new Set(
    readImports()
      .filter(isDown)
      .map(({ from, to }) => `${folder(from)} --> ${folder(to)}`),
  )
  const next = (node: string) =>
    [...edges].flatMap(edge => (edge.startsWith(`${node} -->`) ? (edge.split(' --> ')[1] ?? []) : []))
  const reaches = (from: string, to: string): boolean =>
    next(from).some(node => node === to || reaches(node, to))
  const drawn = [...edges].filter(edge => {
    const [from = '', to = ''] = edge.split(' --> ')
    return !next(from).some(node => node !== to && reaches(node, to))
  })
  return [
    'flowchart TD',
    '  main["main, app, services, the lists of calls, pages and jobs"]',
    `  config["${levels[0]?.join(', ')}"]`,
    ...drawn.sort().map(edge => `  ${edge}`),
  ].join('\n')
}

if (import.meta.main) console.log(drawImports())

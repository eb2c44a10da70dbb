import type { HeldData } from './held-data.server.ts'

type Row = HeldData['mentions'][number]

/** All that is stored about a person as text: a heading for each kind, and a paragraph for each row. */
export function describeHeldData({ person, when, tables, files, ...kinds }: HeldData): string {
  const sections = [
    ...Object.entries(tables),
    ['mentions in other conversations', kinds.mentions] as const,
    ['stored replies to repeated requests', kinds.storedReplies] as const,
    ['log entries', kinds.logs] as const,
    ['accounts of staff', kinds.accounts] as const,
    ['emails in the local mailbox', files.map(file => ({ file }))] as const,
  ]
  return [
    `What is stored about ${person}, ${when}`,
    ...sections.map(([name, rows]) => [`${name}: ${rows.length}`, ...rows.map(describeRow)].join('\n\n')),
  ].join('\n\n')
}

function describeRow(row: Row): string {
  const cells = Object.entries(row).filter(([, value]) => value !== null && value !== '')
  return cells.map(([name, value]) => `  ${name}: ${String(value).replaceAll('\n', '\n    ')}`).join('\n')
}

/** Every measurement. `npm run bench -- pages` */
const benches: Record<string, () => Promise<{ measure(): Promise<boolean> }>> = {
  backup: () => import('./backup.ts'),
  bulk: () => import('./bulk.ts'),
  conversation: () => import('./conversation.ts'),
  enquiries: () => import('./enquiries.ts'),
  headers: () => import('./headers.ts'),
  hostile: () => import('./hostile.ts'),
  lighthouse: () => import('./lighthouse.ts'),
  import: () => import('./mail-import.ts'),
  lists: () => import('./lists.ts'),
  live: () => import('./live.ts'),
  login: () => import('./login.ts'),
  memory: () => import('./memory.ts'),
  million: () => import('./million.ts'),
  pages: () => import('./pages.ts'),
  pictures: () => import('./pictures.ts'),
  publications: () => import('./publications.ts'),
  scrolling: () => import('./scrolling.ts'),
  slow: () => import('./slow.ts'),
  uploads: () => import('./uploads.ts'),
  wapiti: () => import('./wapiti.ts'),
}

const wanted = process.argv[2] ?? ''
const bench = Object.hasOwn(benches, wanted) ? benches[wanted] : undefined
if (!bench) {
  process.stderr.write(`Which measurement? npm run bench -- ${Object.keys(benches).join(' | ')}\n`)
  process.exit(1)
}
// By way of `exit`, where servers and folders of a measurement are cleared away.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.exit((await (await bench()).measure()) ? 0 : 1)

export {}

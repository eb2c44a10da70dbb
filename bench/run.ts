/** Every measurement. `npm run bench -- pages` */
const benches: Record<string, () => Promise<{ measure(): Promise<boolean> }>> = {
  enquiries: () => import('./enquiries.ts'),
  headers: () => import('./headers.ts'),
  lighthouse: () => import('./lighthouse.ts'),
  lists: () => import('./lists.ts'),
  login: () => import('./login.ts'),
  million: () => import('./million.ts'),
  pages: () => import('./pages.ts'),
  slow: () => import('./slow.ts'),
  wapiti: () => import('./wapiti.ts'),
}

const wanted = process.argv[2] ?? ''
const bench = Object.hasOwn(benches, wanted) ? benches[wanted] : undefined
if (!bench) {
  process.stderr.write(`Which measurement? npm run bench -- ${Object.keys(benches).join(' | ')}\n`)
  process.exit(1)
}
process.exit((await (await bench()).measure()) ? 0 : 1)

export {}

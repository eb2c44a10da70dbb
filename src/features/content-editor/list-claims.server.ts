import { readOverrides } from '../../content/claims/overrides.ts'
import { readFindings } from '../../content/live.server.ts'
import type { Services } from '../../services.ts'
import type { Claim } from './contract-claims.ts'

/** The claims of every live version that somebody took responsibility for, the site first, then by path. */
export async function listClaims({ db, clock, content }: Services): Promise<Claim[]> {
  const { site, documents } = content.read()
  const versions = await readFindings(db, clock())
  return versions.flatMap(({ id, kind, path, findings }) => {
    const title = kind === 'site' ? site.company.siteName : (documents.get(path)?.content.body.title ?? path)
    return readOverrides(findings).map(override => ({ document: { id, kind, path, title }, ...override }))
  })
}

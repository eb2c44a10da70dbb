import { readBody } from '../../content/bodies.ts'
import { readOverrides } from '../../content/claims/overrides.ts'
import { hidesSamples, isSample, itemOf } from '../../content/claims/samples.ts'
import { listOverridden } from '../../content/live.server.ts'
import type { Services } from '../../services.ts'
import type { Claim } from './contract-claims.ts'
import { describeField } from './forms.ts'

/** The claims of every live version that somebody took responsibility for, the site first, then by path. */
export async function listClaims({ db, clock, content, config }: Services): Promise<Claim[]> {
  const { site, documents } = content.read()
  const hides = hidesSamples(config.publicUrl)
  const versions = await listOverridden(db, clock())
  return versions.flatMap(({ documentId: id, kind, path, number, findings, ...stored }) => {
    const title = kind === 'site' ? site.company.siteName : (documents.get(path)?.content.body.title ?? path)
    const body = readBody(kind, stored)
    return readOverrides(findings).map(override => ({
      ...override,
      document: { id, kind, path, title },
      version: number,
      field: describeField(kind, body, override.path),
      isHidden: hides && isSample(override) && itemOf(override.path) !== null,
    }))
  })
}

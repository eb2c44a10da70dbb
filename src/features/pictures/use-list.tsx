import type { PictureUse } from './contract.ts'

/** The documents that use a picture. */
export function UseList({ uses }: { uses: readonly PictureUse[] }) {
  if (uses.length === 0) return <p className="pictures-quiet">Not used</p>
  return (
    <ul className="pictures-uses">
      {uses.map(use => (
        <li key={use.documentId}>
          <a href={`/content/${use.documentId}`}>{use.title}</a>{' '}
          <span className="pictures-quiet">{describeUse(use)}</span>
        </li>
      ))}
    </ul>
  )
}

function describeUse({ isLive, isNeeded }: PictureUse): string {
  if (isLive) return 'live'
  return isNeeded ? 'in the draft' : 'in an old version'
}

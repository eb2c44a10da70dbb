import { Bars } from './bars.tsx'
import type { Age } from './contract-figures.ts'

/** How long the open messages have been waiting. */
export function AgesChart({ ages }: { readonly ages: readonly Age[] }) {
  const bars = ages.map(age => ({
    key: age.received,
    label: describeAge(age),
    count: age.count,
    href: `/messages?status=open&received=${age.received}`,
    isLate: age.until === null,
  }))
  return (
    <section className="panel" aria-labelledby="ages">
      <h2 id="ages">Open, by age</h2>
      {bars.every(({ count }) => count === 0) ? (
        <p>No enquiry is open.</p>
      ) : (
        <Bars caption="Open enquiries by age" columns={['Age', 'Open enquiries']} bars={bars} />
      )}
    </section>
  )
}

function describeAge({ from, until }: Age): string {
  if (from === 0) return 'Under 1 day'
  if (until === null) return `Over ${from - 1} days`
  return `${from}–${until} days`
}

import { describeValue, type Fact } from '../../content/facts.ts'
import type { VisaBody } from '../../content/page-bodies.ts'
import { keepTogether } from '../../i18n/no-break.ts'
import { editable } from './editable.ts'
import { Ended, isPast, SourceLine } from './figures.tsx'
import type { SiteSettings } from './site-settings.ts'

interface Row {
  readonly id: string
  readonly label: string
  /** Of the body. */
  readonly field: string
  /** A draft may name one that does not exist. */
  readonly fact: Fact | undefined
}

/** Figures of the law. Those that follow one another with the same date and source name them once, below the last. */
export function FactTable({ figures, site }: { figures: VisaBody['figures']; site: SiteSettings }) {
  const rows = figures.map(({ id, label, fact }, at) => ({
    ...{ id, label, field: `figures.${at}` },
    fact: site.live.facts.get(fact),
  }))
  return groupBySource(rows).map(group => (
    <div key={group[0].id}>
      <dl className="site-table">
        {group.map(({ id, label, field, fact }) => (
          <div key={id} {...editable(site, field)}>
            <dt>{label}</dt>
            <dd>{fact && <Value fact={fact} site={site} />}</dd>
          </div>
        ))}
      </dl>
      <Source group={group} site={site} />
    </div>
  ))
}

type Group = [Row, ...Row[]]

function groupBySource(rows: readonly Row[]): readonly Group[] {
  const groups: Group[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last && haveOneSource(last[0].fact, row.fact)) last.push(row)
    else groups.push([row])
  }
  return groups
}

function haveOneSource(one: Fact | undefined, other: Fact | undefined): boolean {
  const describe = (fact: Fact | undefined) => fact && [fact.asAt, fact.source.label, fact.source.url].join()
  return describe(one) === describe(other)
}

function Value({ fact, site: { today, texts } }: { fact: Fact; site: SiteSettings }) {
  if (isPast(fact, today)) return <Ended source={fact.source} texts={texts} />
  return <strong>{keepTogether(describeValue(fact))}</strong>
}

/** None where every figure has come to its end: each then says where to look. */
function Source({ group, site: { today, texts } }: { group: Group; site: SiteSettings }) {
  const current = group.find(({ fact }) => fact && !isPast(fact, today))?.fact
  if (!current) return null
  return (
    <p className="site-table-source">
      <SourceLine date={current.asAt} source={current.source} texts={texts} />
    </p>
  )
}

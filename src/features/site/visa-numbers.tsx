import type { Subclasses } from '../../content/visas.ts'
import type { Texts } from '../../i18n/texts.ts'
import { namedNumbers } from './live-documents.ts'

/** The first subclass numbers, and how many there are beside them. */
export function Numbers({ visa, texts }: { visa: Subclasses; texts: Texts }) {
  const { named, others } = namedNumbers(visa)
  return (
    <p className="site-numbers">
      <span className="visually-hidden">{texts.visas.subclasses(named.length + others)} </span>
      {named.map(number => (
        <span key={number}>{number} </span>
      ))}
      {others > 0 && <small>{texts.visaPage.others(others)}</small>}
    </p>
  )
}

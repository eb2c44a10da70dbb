import { Bars } from './bars.tsx'
import { ANSWERS_COUNT_FOR, type Answers } from './contract-figures.ts'

/** Who has answered how many messages. */
export function AnswersChart({ since, people }: Answers) {
  const bars = people.map(({ id, name, count }) => ({
    key: id,
    label: name ?? 'Former colleague',
    count,
    href: `/messages?answeredBy=${id}&answeredSince=${since}`,
  }))
  return (
    <section className="panel" aria-labelledby="answers">
      <h2 id="answers">Answers, {ANSWERS_COUNT_FOR} days</h2>
      {bars.length === 0 ? (
        <p>Nobody has answered an enquiry in the last {ANSWERS_COUNT_FOR} days.</p>
      ) : (
        <Bars
          caption="Enquiries answered, by person"
          columns={['Person', 'Enquiries answered']}
          bars={bars}
        />
      )}
    </section>
  )
}

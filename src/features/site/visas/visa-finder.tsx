import { sentence } from '../../../i18n/no-break.ts'
import { editable } from '../blocks/editable.ts'
import { SourceLine } from '../blocks/figures.tsx'
import { LinkList } from '../blocks/page-head.tsx'
import { liveLinks } from '../live-documents.ts'
import type { SiteSettings } from '../site-settings.ts'
import { answersOf, askAboutPlan, type FoundVisa, findVisas, type Questions } from './visa-finder.ts'

interface FinderProps {
  readonly site: SiteSettings
  readonly plan: URLSearchParams
}

/** Asks about a plan in one sentence, and names visas to read about. It is a form that needs no script. */
export function VisaFinder({ site, plan }: FinderProps) {
  const questions = site.live.site.finderQuestions ?? []
  const texts = site.texts.finder
  if (questions.length === 0) return null
  const answers = answersOf(questions, plan)
  return (
    <section className="site-section site-section-sand site-finder" id="visa-finder">
      <form className="site-finder-form" action="/#visas-to-look-at" {...editable(site, 'finderQuestions')}>
        <h2>{texts.heading}</h2>
        <Sentence questions={questions} plan={plan} site={site} />
        <div className="line wrap site-finder-action">
          <button type="submit" className="button button-primary button-large">
            {texts.show}
          </button>
          <p className="quiet small">{texts.privacy}</p>
        </div>
      </form>
      <Sheet visas={findVisas(answers, site)} ask={askAboutPlan(answers)} site={site} />
      <Starts site={site} />
    </section>
  )
}

function Sentence({ questions, plan, site }: FinderProps & { questions: Questions }) {
  const chosen = answersOf(questions, plan)
  return (
    <div className="site-finder-sentence">
      {questions.map(({ id, before, answers, after }, at) => (
        <label key={id} {...editable(site, `finderQuestions.${at}`)}>
          <span {...editable(site, `finderQuestions.${at}.before`)}>{before}</span>{' '}
          <span className="site-finder-answer">
            <select
              className="control"
              name={id}
              aria-label={site.texts.finder.question(before, id, at + 1)}
              defaultValue={chosen[at]?.id}
            >
              {answers.map((answer, place) => (
                <option
                  key={answer.id}
                  value={answer.id}
                  {...editable(site, `finderQuestions.${at}.answers.${place}.label`)}
                >
                  {answer.label}
                </option>
              ))}
            </select>
            <span {...editable(site, `finderQuestions.${at}.after`)}>{after}</span>
          </span>{' '}
        </label>
      ))}
    </div>
  )
}

/** What there is to read. It always leads on, at least to the enquiry form. @param ask the form with the plan in it */
function Sheet({ visas, ask, site }: { visas: readonly FoundVisa[]; ask: string; site: SiteSettings }) {
  const texts = site.texts.finder
  return (
    <div className="site-sheet" id="visas-to-look-at">
      <p className="site-sheet-foot site-sheet-changed">{texts.changed}</p>
      <p className="site-sheet-head">
        <strong>{texts.count(visas.length)}</strong> <span>{texts.plan}</span>
      </p>
      {visas.length === 0 && <p className="quiet site-sheet-foot">{texts.none}</p>}
      <ul>
        {visas.map(visa => (
          <li key={visa.number}>
            <a className="focus-inside site-sheet-visa" href={visa.path ?? '#visas'}>
              <span className="site-sheet-number">{visa.number}</span>
              <span>
                <strong>{visa.name}</strong>
                {visa.description && <span>{visa.description}</span>}
              </span>
              <Arrow />
            </a>
          </li>
        ))}
      </ul>
      <p className="quiet site-sheet-foot">
        {visas.length === 0 ? (
          <a className="button button-primary" href={ask}>
            {texts.askPlan}
          </a>
        ) : (
          sentence(texts.advice(<a href={ask}>{texts.ask(visas.length)}</a>))
        )}
      </p>
      <Source site={site} />
    </div>
  )
}

/** How old the answers are, and who says so. */
function Source({ site }: { site: SiteSettings }) {
  const { finderSource } = site.live.site
  if (!finderSource) return null
  const { asAt, source, checkedBy } = finderSource
  return (
    <p className="quiet site-sheet-foot" {...editable(site, 'finderSource')}>
      <SourceLine date={asAt} source={source} texts={site.texts} />
      {checkedBy && <span className="site-as-at"> {site.texts.finder.checkedBy(checkedBy)}</span>}
    </p>
  )
}

/** For people who would rather say who they are. */
function Starts({ site }: { site: SiteSettings }) {
  const links = liveLinks(site.live.site.finderStarts ?? [], site.live)
  if (links.length === 0) return null
  return (
    <nav
      className="snug links site-starts"
      aria-label={site.texts.finder.starts}
      {...editable(site, 'finderStarts')}
    >
      <p>
        <strong>{site.texts.finder.starts}</strong>
      </p>
      <LinkList links={links} />
    </nav>
  )
}

/** Beside what leads to another page. */
export function Arrow() {
  return (
    <svg className="icon site-arrow" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3 10h13m-5-5 5 5-5 5" />
    </svg>
  )
}

import type { SiteBody } from '../content/site-body.ts'

type Question = NonNullable<SiteBody['finderQuestions']>[number]

function question(
  id: string,
  before: string,
  answers: Question['answers'],
  after: string | null = null,
): Question {
  return { id, before, answers, after }
}

function answer(id: string, label: string, visas: string[] = [], leftOut: string[] = []) {
  return { id, label, visas, leftOut }
}

/** Which visas somebody may want to read about. A rule here leaves a visa out; no page says it as a fact. */

/** Nobody of an agency has checked the sample, so it names no one. */
export const finderSource: SiteBody['finderSource'] = {
  asAt: '2026-07-01',
  source: {
    label: 'Department of Home Affairs: list of visas',
    url: 'https://immi.homeaffairs.gov.au/visas/getting-a-visa/visa-listing',
  },
  checkedBy: null,
}

/** People must be under an age limit when they are invited. */
const pointsTested = ['189', '190', '491']
/** Applied for outside Australia, or in Australia. */
const offshore = ['309', '300', '101', '103', '115', '116']
const onshore = ['820', '802', '835', '836']
/** Not for somebody who only wants some years. */
const permanent = ['186', '189', '190', '858']
/** Ends after some years, and leads nowhere by itself. */
const temporary = ['482']

export const finderQuestions: Question[] = [
  question('where', 'I am', [
    answer('outside', 'outside Australia', [], onshore),
    answer('inside', 'in Australia', [], offshore),
  ]),
  question(
    'plan',
    'and I hope to',
    [
      answer('employer', 'work for an employer', ['186', '482']),
      // The last two have no points test; four are shown, so they matter to those whom the age leaves none of the others.
      answer('skills', 'work with my skills', [...pointsTested, '858', '186']),
      answer('partner', 'live with my partner', ['309', '820', '300']),
      answer('family', 'join my family', [...offshore.slice(2), ...onshore.slice(1)]),
      answer('business', 'build a business', ['858']),
    ],
    '.',
  ),
  question('age', 'I am', [
    answer('under-45', 'under 45'),
    answer('45-or-over', '45 or over', [], pointsTested),
  ]),
  question(
    'stay',
    'and would like to stay',
    [answer('good', 'for good', [], temporary), answer('years', 'for some years', [], permanent)],
    '.',
  ),
]

export const finderStarts: SiteBody['finderStarts'] = [
  { id: 'start-1', label: 'I study here', path: '/students' },
  { id: 'start-2', label: 'I have just graduated', path: '/graduates' },
  { id: 'start-3', label: 'My partner is Australian', path: '/partners' },
  { id: 'start-4', label: 'I employ people', path: '/employers' },
  { id: 'start-5', label: 'My visa was refused', path: '/refusals' },
]

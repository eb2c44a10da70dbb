import type { SiteBody } from './site-body.ts'

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

/** People must be under an age limit when they are invited. */
const pointsTested = ['189', '190', '491']
const permanent = ['186', '189', '190', '858', '888']

/** Which visas somebody may want to read about. An agency checks each line. */
export const finderQuestions: Question[] = [
  question('where', 'I am', [
    answer('outside', 'outside Australia', [], ['820']),
    answer('inside', 'in Australia', [], ['309']),
  ]),
  question(
    'plan',
    'and I hope to',
    [
      answer('employer', 'work for an employer', ['186', '482', '190']),
      answer('skills', 'work with my skills', pointsTested),
      answer('partner', 'live with my partner', ['309', '820', '300']),
      answer('family', 'join my family', ['101', '103', '115', '116']),
      answer('business', 'build a business', ['858', '888']),
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
    [answer('good', 'for good'), answer('years', 'for some years', ['482'], permanent)],
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

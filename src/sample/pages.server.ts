import type { Samples } from '../content/first-content.server.ts'
import { describedVisas } from '../content/visas.ts'
import { articles } from './articles.server.ts'
import { sampleFacts, sampleHolidays } from './facts.server.ts'
import { fees } from './fees.server.ts'
import { finderQuestions, finderSource, finderStarts } from './finder.server.ts'
import { howItWorks, privacy, questions } from './questions.server.ts'
import { visaPages } from './visa-pages.server.ts'
import { visitorPages } from './visitor-pages.server.ts'

/** The pages, visas and articles of a new installation. An agency replaces what does not fit it. */
export const samplePages: Samples = {
  facts: sampleFacts,
  menu: [
    { id: 'menu-1', label: 'Visas', path: '/visas' },
    { id: 'menu-2', label: 'Fees', path: '/fees' },
    { id: 'menu-3', label: 'How it works', path: '/how-it-works' },
  ],
  footerPages: [
    { id: 'page-1', label: 'Questions', path: '/faq' },
    { id: 'page-2', label: 'Students', path: '/students' },
    { id: 'page-3', label: 'Graduates', path: '/graduates' },
    { id: 'page-4', label: 'Partners and families', path: '/partners' },
    { id: 'page-5', label: 'Employers', path: '/employers' },
    { id: 'page-6', label: 'After a refusal', path: '/refusals' },
    { id: 'page-7', label: 'News', path: '/news' },
    { id: 'page-8', label: 'Privacy', path: '/privacy' },
  ],
  holidays: sampleHolidays,
  finder: { finderQuestions, finderSource, finderStarts },
  documents: site => [
    fees,
    howItWorks,
    questions,
    privacy,
    ...visitorPages,
    ...visaPages(describedVisas(site)),
    ...articles,
  ],
}

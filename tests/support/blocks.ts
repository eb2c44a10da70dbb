import { doc, paragraph } from './documents.ts'

/** One block of each kind beside the text, as an editor would write them. */
export const table = {
  id: 'table-1',
  type: 'table',
  caption: 'What you pay us',
  grid: {
    columns: [
      { id: 'work', label: 'Work' },
      { id: 'price', label: 'Price' },
    ],
    rows: [
      { id: 'first', cells: { work: 'First question', price: 'Nothing' } },
      { id: 'second', cells: { work: 'Opinion' } },
    ],
  },
}
export const callout = {
  id: 'callout-1',
  type: 'callout',
  tone: 'important',
  title: null,
  text: doc(paragraph('Bring your passport.')),
}
export const button = { id: 'button-1', type: 'button', text: 'Read about fees', address: '/fees' }
export const quote = {
  id: 'quote-1',
  type: 'quote',
  text: 'A visa is never promised.',
  who: 'The Department',
  source: { label: 'Its page', url: 'https://immi.homeaffairs.gov.au/' },
}
export const form = { id: 'form-1', type: 'form', kind: 'visa-assessment' }

export const allBlocks = [table, callout, button, form, quote]

import type { Page } from '@playwright/test'
import { AGES, type Figures } from '../../src/features/dashboard/contract.ts'

/** An office that answers, for the charts: `npm run seed` makes no replies. */

const people = ['Mei Tanaka', 'Tom Okafor', 'Bartholomew Featherstonehaugh-Cholmondeley', null]
const hours = (count: number) => count * 60
const since = '2026-11-16T00:00:00Z'

const sample: Figures = {
  target: hours(8),
  overdue: {
    count: 7,
    messages: ['Ana Brown', 'Mai Santos', 'Bartholomew Featherstonehaugh-Cholmondeley'].map((name, at) => ({
      id: `${at}`,
      name,
      dueAt: `2026-11-${16 + at}T06:00:00Z`,
      lateBy: hours(44 - 17 * at),
      assignee: at === 1 ? { id: '1', name: 'Tom Okafor' } : null,
      version: 1,
    })),
  },
  weeks: [11.3, 10.7, 10.5, 12.4, null, 8.3, 7.5, 7.1].map((ninetieth, at) => ({
    monday: new Date(Date.UTC(2026, 8, 28 + 7 * at)).toISOString().slice(0, 10),
    count: ninetieth === null ? 0 : 20 - at,
    median: ninetieth && Math.round(hours(ninetieth) / 2),
    ninetieth: ninetieth && hours(ninetieth),
  })),
  ages: AGES.map((from, at) => {
    const next = AGES[at + 1]
    return { from, until: next === undefined ? null : next - 1, received: `${since}/..`, count: 11 - 2 * at }
  }),
  answers: { since, people: people.map((name, at) => ({ id: `${at}`, name, count: 21 - 5 * at })) },
}

export async function showFigures(page: Page) {
  const json = { success: true, ...sample }
  await page.route('**/api/dashboard/figures', route => route.fulfill({ json }))
}

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openSite } from '../../../tests/support/site.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { FinderQuestions } from '../../content/finder.ts'
import { finderQuestions } from '../../content/sample-finder.server.ts'
import { samplePages } from '../../content/sample-pages.server.ts'
import { readPlan } from './visa-finder.ts'

const read = (query: string) => readPlan(finderQuestions, new URLSearchParams(query)).toString()

/** Every combination of answers, as a browser sends it. */
const plans = finderQuestions.reduce<readonly string[]>(
  (queries, { id, answers }) =>
    queries.flatMap(query => answers.map(answer => `${query}${id}=${answer.id}&`)),
  [''],
)

suite('The visa finder', async () => {
  const testApp = await openTestApp({}, { samples: samplePages })
  const site = await openSite(testApp)
  const open = async (query: string) => await (await fetch(`${site.url}/?${query}`)).text()
  const numbersIn = (html: string) =>
    [...html.matchAll(/class="site-sheet-number">(\d+)</g)].map(([, number]) => number)

  test('every combination of answers names open visas with a page to read, or leads to the form', async () => {
    assert.equal(plans.length, 40)
    for (const plan of plans) {
      const html = await open(plan.slice(0, -1))
      const sheet = /id="visas-to-look-at">.*?Ask us which one suits you/.exec(html)?.[0] ?? ''
      const visas = [...sheet.matchAll(/class="site-sheet-visa" href="([^"]+)"/g)].map(
        ([, path = '']) => path,
      )
      assert.match(sheet, /href="#get-in-touch"/, plan)
      assert.ok(visas.length > 0 || sheet.includes('we look further'), plan)
      for (const path of visas) assert.match(path, /^\/visas\//, plan)
      assert.doesNotMatch(sheet, /eligible|qualify|>188</i, plan)
    }
  })

  test('the visas are those that an answer names and none leaves out, in the order of the table', async () => {
    assert.deepEqual(numbersIn(await open('')), ['186', '482', '190'])
    const older = 'where=outside&plan=employer&age=45-or-over&stay=good'
    assert.deepEqual(numbersIn(await open(older)), ['186', '482'])
    const partner = 'where=inside&plan=partner&age=under-45&stay=good'
    const html = await open(partner)
    assert.deepEqual(numbersIn(html), ['820', '300'])
    assert.match(html, /<option value="partner" selected="">/)
    assert.match(html, /<link rel="canonical" href="https:\/\/agency\.test\/"\/>/)
  })

  test('a query that does not answer each question once is the page without a query, from the cache', async () => {
    const plan = 'where=inside&plan=skills&age=under-45&stay=good'
    for (const query of ['', plan]) await open(query)
    const before = site.slowRequests
    const home = await open('')
    for (const query of [
      `${plan}&utm_source=x`,
      `${plan}&plan=skills`,
      `${plan}&plan=employer`,
      plan.replace('skills', 'unknown'),
      plan.replace('&stay=good', ''),
      'plan=skills',
      'where=outside&plan=employer&age=under-45&stay=good',
      ...Array.from({ length: 50 }, (_, at) => `q=${at}`),
    ])
      assert.equal(await open(query), home, query)
    // In another order the answers are the same page.
    assert.equal(await open('stay=good&age=under-45&plan=skills&where=inside'), await open(plan))
    assert.equal(site.slowRequests, before, 'nothing was rendered')
  })

  test('a plan has one key, whatever the order of its answers, and the first answers have none', () => {
    assert.equal(
      read('stay=years&where=inside&age=under-45&plan=skills'),
      'where=inside&plan=skills&age=under-45&stay=years',
    )
    assert.equal(read('where=outside&plan=employer&age=under-45&stay=good'), '')
    assert.equal(readPlan(undefined, new URLSearchParams('plan=skills')).toString(), '')
    assert.equal(readPlan([], new URLSearchParams('plan=skills')).toString(), '')
  })

  test('questions with more than a hundred combinations of answers are refused, because each is a page', () => {
    const [question] = finderQuestions
    const [answer] = question?.answers ?? []
    const withAnswers = (counts: readonly number[]) =>
      counts.map((count, at) => ({
        ...question,
        id: `q${at}`,
        answers: Array.from({ length: count }, (_, place) => ({ ...answer, id: `a${place}` })),
      }))
    assert.equal(FinderQuestions.safeParse(withAnswers([5, 5, 4])).success, true)
    assert.equal(FinderQuestions.safeParse(withAnswers([6, 6, 3])).success, false)
    assert.equal(FinderQuestions.safeParse(withAnswers([7])).success, false)
    assert.equal(FinderQuestions.safeParse(withAnswers([1, 1, 1, 1, 1])).success, false)
  })
})

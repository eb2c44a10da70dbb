import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { changeDocument } from '../../../../tests/support/documents.ts'
import { openSite } from '../../../../tests/support/site.ts'
import { createStaff, signInAs } from '../../../../tests/support/staff.ts'
import { openTestApp } from '../../../../tests/support/test-app.ts'
import { FinderQuestions } from '../../../content/site-body.ts'
import { finderSource as finder, finderQuestions } from '../../../sample/finder.server.ts'
import { samplePages } from '../../../sample/pages.server.ts'
import { content } from '../../content-editor/contract.ts'
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
      const sheet =
        /id="visas-to-look-at">.*?Ask us (?:which one suits you|whether it suits you|about this plan)/.exec(
          html,
        )?.[0] ?? ''
      const visas = [...sheet.matchAll(/class="[^"]*site-sheet-visa" href="([^"]+)"/g)].map(
        ([, path = '']) => path,
      )
      const [, ask = ''] = /href="(\/contact\?[^"#]*)#get-in-touch"/.exec(sheet) ?? []
      assert.ok(ask, plan)
      assert.ok(visas.length > 0 || sheet.includes('we look further'), plan)
      for (const path of visas) assert.match(path, /^\/visas\//, plan)
      assert.doesNotMatch(sheet, /eligible|qualify|>188</i, plan)
    }
  })

  /** What each plan gives, and why: the rest of a combination changes nothing. */
  const expected: readonly (readonly [
    plan: string,
    age: string,
    stay: string,
    outside: string,
    inside: string,
  ])[] = [
    // Nominated for good, where the page says that there is an age limit; sponsored for some years, at any age.
    ['employer', 'any', 'good', '186', '186'],
    ['employer', 'any', 'years', '482', '482'],
    // The points test has an age limit. Older people need no points for 858, and an employer for 186.
    ['skills', 'under-45', 'good', '189 190 491 858', '189 190 491 858'],
    ['skills', '45-or-over', 'good', '858 186', '858 186'],
    // Of these only 491 is for some years first.
    ['skills', 'under-45', 'years', '491', '491'],
    ['skills', '45-or-over', 'years', '', ''],
    // 309 and 300 are applied for outside Australia, 820 in it. Each begins with some years.
    ['partner', 'any', 'any', '309 300', '820'],
    // The same of children, remaining relatives and carers.
    ['family', 'any', 'any', '101 103 115 116', '802 835 836'],
    // Only people with a 188 may apply for 888, so it is never offered.
    ['business', 'any', 'good', '858', '858'],
    ['business', 'any', 'years', '', ''],
  ]

  test('each of the 40 plans names the visas that can fit it, none that cannot, and no sentence twice (found V1)', async () => {
    for (const query of plans) {
      const answers = new URLSearchParams(query.slice(0, -1))
      const [where, plan, age, stay] = ['where', 'plan', 'age', 'stay'].map(name => answers.get(name))
      const rule = expected.filter(
        ([a, b, c]) => a === plan && [age, 'any'].includes(b) && [stay, 'any'].includes(c),
      )
      assert.equal(rule.length, 1, query)
      const html = await open(query.slice(0, -1))
      assert.equal(numbersIn(html).join(' '), rule[0]?.[where === 'outside' ? 3 : 4], query)
      const sentences = [...html.matchAll(/class="site-sheet-number">.*?<\/strong><span>(.*?)<\/span>/g)]
      assert.equal(new Set(sentences.map(([, text]) => text)).size, sentences.length, query)
    }
  })

  test('each of the 40 plans leads to a form in which it is filled in, the first one too (found V1)', async () => {
    for (const query of plans) {
      const html = await open(query.slice(0, -1))
      const [, ask = ''] = /href="(\/contact\?[^"]*)#get-in-touch">Ask us/.exec(html) ?? []
      const form = await (await fetch(`${site.url}${ask.replaceAll('&amp;', '&')}`)).text()
      const labels = [...html.matchAll(/<option [^>]*selected=""[^>]*>(.*?)<\/option>/g)].map(
        ([, label]) => label,
      )
      assert.match(
        form,
        new RegExp(`name="details\\.visa"[^>]* value="${labels.slice(0, 4).join(', ')}"`),
        query,
      )
      assert.match(form, /href="\/contact\?form=visa-assessment#get-in-touch" aria-current="true"/)
    }
    const read = async (query: string) => await (await fetch(`${site.url}/contact?${query}`)).text()
    const whole = 'plan=inside&plan=skills&plan=under-45&plan=good'
    assert.notEqual(await read(whole), await read(''))
    for (const other of ['plan=inside', whole.replace('skills', 'unknown'), `${whole}&plan=good`])
      assert.equal(await read(other), await read(''), other)
  })

  test('a plan that no visa fits leads to the form, in which it is filled in (found V1)', async () => {
    const html = await open('where=inside&plan=skills&age=45-or-over&stay=years')
    assert.match(
      html,
      /<p class="[^"]*site-sheet-foot"><a class="button [^>]*>Ask us about this plan<\/a><\/p>/,
    )
    assert.ok(html.includes('value="in Australia, work with my skills, 45 or over, for some years"'))
    assert.match(html, /<option value="skills" selected="">/)
    assert.match(html, /<link rel="canonical" href="https:\/\/agency\.test\/"\/>/)
    assert.ok(!(await open('')).includes('Ask us about this plan'))
  })

  test('below the visas stands from where and when the answers are, and who has checked them once somebody has (found V1)', async () => {
    const sheet = async () => /id="visas-to-look-at">.*?<\/div>/s.exec(await open(''))?.[0] ?? ''
    assert.match(
      await sheet(),
      /As at 1 July 2026, <a href="https:\/\/immi\.homeaffairs\.gov\.au[^"]*">Department of/,
    )
    assert.doesNotMatch(await sheet(), /Checked by/)
    const editor = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const [document] = (await editor.call(content.list, { kind: 'site' })).documents
    const id = document?.id ?? ''
    const { draft } = await editor.call(content.open, { id })
    const finderSource = { ...finder, asAt: '2026-11-02', checkedBy: 'Robin Reader' }
    await changeDocument(editor, id, { ...draft.body, finderSource })
    await site.services.content.refresh()
    assert.match(await sheet(), /As at 2 November 2026.*Checked by Robin Reader\./s)
    const wrong = await editor.send('PUT', `/api/content/${id}/draft`, {
      body: { ...draft.body, finderSource: { asAt: '2026-11-02' } },
      revision: (await editor.call(content.open, { id })).draft.revision,
    })
    assert.equal(wrong.status, 400, 'rules have a source')
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

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sampleContent } from '../sample/site.server.ts'
import { findErrors, findShapeErrors } from './bodies.ts'
import { describeOfficeHours } from './office/office-hours.ts'

suite('The first version of the site document', () => {
  const { site, facts } = sampleContent
  const byName = new Map(facts.map(fact => [fact.name, fact]))

  test('is valid, and each of its facts has a name of its own', () => {
    assert.deepEqual(findErrors('site', site), {})
    assert.equal(byName.size, facts.length)
  })

  test('a draft may have empty texts and half an address, but must keep its shape', () => {
    const [first, ...others] = site.slides
    const draft = { ...site, slides: [{ ...first, title: '', buttonLink: 'http' }, ...others] }
    assert.deepEqual(findShapeErrors('site', draft), {})
    assert.deepEqual(Object.keys(findErrors('site', draft)), ['slides.0.title', 'slides.0.buttonLink'])
    for (const [key, value] of [
      ['slides', [{ ...first, image: 'a desert' }]],
      ['slides', null],
      ['hours', []],
      ['services', [{ id: 'service-1', title: 'Without a description' }]],
      ['services', [site.services[0], site.services[0]]],
      ['menu', [{ id: 'a b', label: 'Fees', path: '/fees', markup: '<b>' }]],
    ] as const)
      assert.notDeepEqual(findShapeErrors('site', { ...site, [key]: value }), {}, key)
  })

  test('office hours are described from their fields', () => {
    const hours = (days: (typeof site.officeHours)[number]['days'], opens: string, closes: string) => ({
      id: opens.replace(':', ''),
      days,
      opens,
      closes,
      byAppointment: false,
    })
    const described = describeOfficeHours([
      hours(['Tuesday', 'Monday'], '09:30', '12:00'),
      hours(['Wednesday', 'Friday', 'Sunday'], '00:00', '23:59'),
    ])
    assert.deepEqual(described, [
      { days: 'Monday and Tuesday', time: '9:30am–12pm' },
      { days: 'Wednesday, Friday, Sunday', time: '12am–11:59pm' },
      { days: 'Thursday and Saturday', time: 'Closed' },
    ])
    const all = hours([...site.officeHours.flatMap(({ days }) => days), 'Sunday'], '08:00', '18:00')
    assert.deepEqual(describeOfficeHours([all]), [{ days: 'Monday to Sunday', time: '8am–6pm' }])
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findPages } from './page-picker.tsx'

const page = (title: string, path: string) => ({ title, path, isLive: true })
const pages = [
  page('Home', '/'),
  page('What our fees are', '/fees'),
  page('Fees in Perth', '/news/fees-in-perth'),
  page('Visa de fiancé(e)', '/visas/prospective-marriage-300'),
  page('移民', '/yimin'),
]
const found = (typed: string) => findPages(pages, typed).map(({ path }) => path)

suite('The pages that a link may lead to', () => {
  test('are found by words of title and address in any order, those that begin with the first word first', () => {
    assert.deepEqual(found('fees'), ['/news/fees-in-perth', '/fees'])
    assert.deepEqual(found('perth FEES'), ['/news/fees-in-perth'])
    assert.deepEqual(found('fiance'), ['/visas/prospective-marriage-300'])
    assert.deepEqual(found('移'), ['/yimin'])
    assert.deepEqual(found('/visas/'), ['/visas/prospective-marriage-300'])
  })

  test('are all there while nothing is typed, and none for what nobody has written', () => {
    assert.equal(found('  ').length, pages.length)
    for (const typed of ['nothing', '.*', '[']) assert.deepEqual(found(typed), [])
  })

  test('are found among two thousand while somebody types', () => {
    const many = Array.from({ length: 2000 }, (_, at) => page(`Visa number ${at}`, `/visas/${at}`))
    assert.equal(findPages(many, 'visa 1999').length, 1)
  })
})

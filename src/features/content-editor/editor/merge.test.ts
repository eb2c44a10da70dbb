import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from '../../../../tests/support/properties.ts'
import {
  fromStablePath,
  isList,
  isObject,
  type JsonObject,
  toStablePath,
  valueAt,
  withValue,
} from '../../../content/json.ts'
import { mergeBodies, settle } from './merge.ts'

const itemOf = (id: string, text: string, more: JsonObject = {}) => ({ id, text, ...more })
const base = {
  title: 'Fees',
  company: { name: 'Landfall', phone: '1' },
  items: [itemOf('a', 'A'), itemOf('b', 'B'), itemOf('c', 'C')],
  address: ['Level 1', 'Sydney'],
}
type Body = typeof base
const idsOf = (value: unknown) =>
  isList(value) ? value.map(item => (isObject(item) ? String(item.id) : '')) : []
const order = (ids: string) =>
  [...ids].flatMap(id => base.items.find(item => item.id === id) ?? itemOf(id, id.toUpperCase()))

function expectMerge(mine: Partial<Body>, theirs: Partial<Body>, expected: Partial<Body>) {
  const { value, conflicts } = mergeBodies(base, { ...base, ...mine }, { ...base, ...theirs })
  assert.deepEqual(value, { ...base, ...expected })
  assert.deepEqual(conflicts, [])
}

/** Edits as people make them: a text, an item moved, added or removed. */
const edit = fc.oneof(
  fc.record({ do: fc.constant('title' as const), text: fc.string() }),
  fc.record({ do: fc.constant('text' as const), at: fc.nat(5), text: fc.string() }),
  fc.record({ do: fc.constant('move' as const), at: fc.nat(5), to: fc.nat(5) }),
  fc.record({ do: fc.constant('add' as const), to: fc.nat(5), id: fc.stringMatching(/^[d-z]{6}$/) }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat(5) }),
)
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never

function apply(body: Body, one: Edit): Body {
  if (one.do === 'title') return { ...body, title: one.text }
  const { items } = body
  if (one.do === 'add') {
    const added = itemOf(one.id, one.id)
    return items.some(({ id }) => id === one.id)
      ? body
      : { ...body, items: items.toSpliced(one.to, 0, added) }
  }
  const item = items[one.at]
  if (!item) return body
  if (one.do === 'text') return { ...body, items: items.with(one.at, { ...item, text: one.text }) }
  const rest = items.toSpliced(one.at, 1)
  return { ...body, items: one.do === 'move' ? rest.toSpliced(one.to, 0, item) : rest }
}
const edited = fc.array(edit, { maxLength: 5 }).map(edits => edits.reduce(apply, base))

suite('Merging what two people wrote', () => {
  test('what each of two people changed is in the merged body', () => {
    expectMerge(
      { title: 'Our fees', company: { name: 'Landfall', phone: '2' } },
      { company: { name: 'Southern Cross', phone: '1' } },
      { title: 'Our fees', company: { name: 'Southern Cross', phone: '2' } },
    )
  })

  test('an item that one has moved and the other edited is moved and edited', () => {
    const theirs = [itemOf('a', 'A'), itemOf('b', 'B'), itemOf('c', 'New')]
    expectMerge({ items: order('cab') }, { items: theirs }, { items: [itemOf('c', 'New'), ...order('ab')] })
  })

  test('items that two people moved are both moved', () => {
    expectMerge({ items: order('bca') }, { items: order('acb') }, { items: order('cab') })
    expectMerge({ items: order('cab') }, { items: order('cab') }, { items: order('cab') })
  })

  test('items that both added are both there, each where it was added', () => {
    expectMerge({ items: order('xabc') }, { items: order('abyc') }, { items: order('xabyc') })
    expectMerge({ items: order('abcx') }, { items: order('abcy') }, { items: order('abcxy') })
  })

  test('an item that one removed and the other left as it was is gone', () => {
    expectMerge({ items: order('ac') }, { title: 'New' }, { title: 'New', items: order('ac') })
    expectMerge({ title: 'New' }, { items: order('ac') }, { title: 'New', items: order('ac') })
  })

  test('an item that one removed and the other edited stays, and is asked about', () => {
    const theirs = { ...base, items: base.items.with(1, itemOf('b', 'New')) }
    const { value, conflicts } = mergeBodies(base, { ...base, items: order('ac') }, theirs)
    assert.deepEqual(value, theirs)
    assert.deepEqual(conflicts, [{ path: 'items.#b', mine: undefined, theirs: itemOf('b', 'New') }])
    const [conflict] = conflicts
    assert.deepEqual(conflict && idsOf(settle(value, conflict, conflict.mine).items), ['a', 'c'])
  })

  test('only a text that both changed is asked about, and either can be chosen', () => {
    const mine = { ...base, title: 'Mine', items: base.items.with(0, itemOf('a', 'Mine')) }
    const theirs = { ...base, items: order('bca').with(2, itemOf('a', 'Theirs')) }
    const { value, conflicts } = mergeBodies(base, mine, theirs)
    assert.deepEqual(conflicts, [{ path: 'items.#a.text', mine: 'Mine', theirs: 'Theirs' }])
    assert.equal(valueAt(value, 'items.2.text'), 'Mine')
    const settled = settle(value, { path: 'items.#a.text' }, 'Theirs')
    assert.equal(valueAt(settled, 'items.2.text'), 'Theirs')
    assert.equal(settled.title, 'Mine')
  })

  test('lists without ids, rich text and objects of another kind are one field', () => {
    const doc = (text: string) => ({ type: 'doc', content: [{ type: 'paragraph', text }] })
    const body = (lines: string[], text: string, programme: JsonObject) => ({
      lines,
      text: doc(text),
      programme,
    })
    const { conflicts } = mergeBodies(
      body(['a'], 'a', { status: 'open' }),
      body(['b'], 'b', { status: 'closed', asAt: '1' }),
      body(['c'], 'c', { status: 'closed', asAt: '2' }),
    )
    assert.deepEqual(
      conflicts.map(({ path }) => path),
      ['lines', 'text', 'programme'],
    )
  })

  test('a merge with what nobody changed, or both changed alike, is the other body', () => {
    fc.assert(
      fc.property(edited, body => {
        assert.deepEqual(mergeBodies(base, body, base), { value: body, conflicts: [] })
        assert.deepEqual(mergeBodies(base, base, body), { value: body, conflicts: [] })
        assert.deepEqual(mergeBodies(base, body, body), { value: body, conflicts: [] })
      }),
    )
  })

  test('whatever two people do to a list, each text is in the merged body or asked about, and no item is there twice', () => {
    fc.assert(
      fc.property(edited, edited, (mine, theirs) => {
        const { value, conflicts } = mergeBodies(base, mine, theirs)
        const ids = idsOf(value.items)
        assert.equal(new Set(ids).size, ids.length)
        const kept = JSON.stringify([value, conflicts])
        for (const body of [mine, theirs])
          for (const item of body.items) {
            const before = base.items.find(({ id }) => id === item.id)
            if (before?.text !== item.text) assert.ok(kept.includes(JSON.stringify(item.text)), item.id)
            const other = body === mine ? theirs : mine
            const isRemoved = before !== undefined && !other.items.some(({ id }) => id === item.id)
            if (!isRemoved) assert.ok(ids.includes(item.id), `${item.id} of ${ids}`)
          }
      }),
      { numRuns: 3000 },
    )
  })
})

suite('Paths in a body', () => {
  test('a stable path leads to the same item after it was moved, and nowhere after it was removed', () => {
    const stable = toStablePath(base, 'items.2.text')
    assert.equal(stable, 'items.#c.text')
    assert.equal(fromStablePath({ ...base, items: order('cab') }, stable), 'items.0.text')
    assert.equal(fromStablePath({ ...base, items: order('ab') }, stable), null)
  })

  test('a changed value leaves the rest of the body the same objects', () => {
    const changed = withValue(base, 'items.1.text', 'New')
    assert.equal(valueAt(changed, 'items.1.text'), 'New')
    assert.equal(valueAt(changed, 'items.0'), base.items[0])
    assert.equal(changed.company, base.company)
    assert.equal(valueAt(base, 'items.1.text'), 'B')
  })
})

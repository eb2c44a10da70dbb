import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  findPlace,
  findTown,
  isFar,
  MAP_HEIGHT,
  MAP_WIDTH,
  movePin,
  spans,
  toPoint,
  toPosition,
  towns,
  viewOf,
} from './pin.ts'

const fremantle = { latitude: -32.06, longitude: 115.75 }

suite('The pin of the office', () => {
  test('a press on the drawn map sets the pin there, at every zoom and to a few metres (found E10)', () => {
    for (const zoom of spans.keys()) {
      const view = viewOf(zoom, fremantle)
      for (const point of [
        { x: 0, y: 0 },
        { x: MAP_WIDTH / 3, y: MAP_HEIGHT - 10 },
      ]) {
        const shown = toPoint(view, toPosition(view, point))
        assert.ok(Math.hypot(shown.x - point.x, shown.y - point.y) < 0.2, `${zoom}`)
      }
    }
    const country = viewOf(0, fremantle)
    for (const town of towns) {
      const { x, y } = toPoint(country, town)
      assert.ok(x > 0 && x < MAP_WIDTH && y > 0 && y < MAP_HEIGHT, town.name)
    }
  })

  test('an arrow key moves the pin in its direction, finer the nearer the map is, and never off the earth (found E10)', () => {
    const moved = (key: string, span = 1) => movePin(fremantle, key, span)
    assert.deepEqual(moved('ArrowUp'), { latitude: -32.04, longitude: 115.75 })
    assert.deepEqual(moved('ArrowRight'), { latitude: -32.06, longitude: 115.77 })
    assert.deepEqual(moved('ArrowLeft', 0.05), { latitude: -32.06, longitude: 115.749 })
    assert.equal(moved('Enter'), null)
    assert.equal(movePin({ latitude: 90, longitude: 0 }, 'ArrowUp', 48)?.latitude, 90)
  })

  test('the pin is found from the address, by the town that it names last (found E10)', () => {
    const found = (...address: string[]) => findTown(address)?.name
    assert.equal(found('12 Perth Street', 'Fremantle WA 6160'), 'Fremantle')
    assert.equal(found('Level 3', '1 George Street', 'SYDNEY, NSW 2000', 'Australia'), 'Sydney')
    assert.equal(found('Wagga Wagga NSW'), 'Wagga Wagga')
    assert.equal(found('1 Orangery Lane', 'Manila'), undefined)
  })

  test('time zone and state of another state than that of the address are named, with those to choose', () => {
    const hobart = ['1 Elizabeth Street', 'Hobart TAS 7000']
    const sydney = { timeZone: 'Australia/Sydney', state: 'NSW' }
    assert.deepEqual(findPlace(hobart, sydney), {
      ...{ name: 'Tasmania', timeZone: 'Australia/Hobart', state: 'TAS' },
      differs: 'time zone and the state chosen here are',
      offer: 'Use Hobart time and Tasmania',
    })
    const offer = (address: string[], chosen: Parameters<typeof findPlace>[1]) =>
      findPlace(address, chosen)?.offer
    assert.equal(
      offer(hobart, { ...sydney, state: null }),
      'Use Hobart time',
      'the state follows the address',
    )
    assert.equal(offer(hobart, { timeZone: 'Australia/Hobart', state: 'NSW' }), 'Use Tasmania')
    assert.equal(offer(hobart, { timeZone: 'Australia/Hobart', state: 'TAS' }), undefined)
    assert.equal(
      offer(['Argent Street', 'Broken Hill NSW 2880'], { timeZone: 'Australia/Broken_Hill', state: '' }),
      undefined,
    )
    assert.equal(offer(['1 Rizal Avenue', 'Manila'], sydney), undefined, 'nobody knows')
  })

  test('a pin of the sample is far from another town, and one of a suburb is not', () => {
    const sydney = { latitude: -33.8688, longitude: 151.2093 }
    assert.equal(isFar(sydney, findTown(['Fremantle WA 6160'])), true)
    assert.equal(isFar(sydney, findTown(['Penrith NSW 2750'])), true)
    assert.equal(isFar(sydney, findTown(['Parramatta NSW 2150'])), false)
    assert.equal(isFar(sydney, findTown(['Manila'])), false, 'nobody knows')
  })
})

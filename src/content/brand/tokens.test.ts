import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { randomFrom } from '../../../tests/support/random.ts'
import { contrast, fit, mix, shade } from './colours.ts'
import {
  brandTokens,
  CONTROL,
  emailColours,
  grounds,
  own,
  TEXT,
  type Tokens,
  usesOfAccent,
  usesOfMain,
} from './tokens.ts'

/** A colour on the ground on which some page shows it: names of tokens or colours. */
type Pair = readonly [over: string, ground: string, least: number]

const on = (over: string, all: readonly string[], least: number) =>
  all.map((ground): Pair => [over, ground, least])

/** Of the public pages, in use in the sheets of `entries/site.css`. */
const sitePairs: readonly Pair[] = [
  // Links, labels, arrows and the lines of controls; what is pressed.
  ...on('--eucalyptus', grounds.site, TEXT),
  ...on('--eucalyptus-deep', grounds.site, TEXT),
  // Buttons, also under the mouse, and the head of a receipt.
  ['#ffffff', '--fill', TEXT],
  ['#ffffff', '--eucalyptus-deep', TEXT],
  ...on('--fill', grounds.site, CONTROL),
  // The top and the foot of pages.
  ['#ffffff', '--band', TEXT],
  ['--mist', '--band', TEXT],
  ['--wattle', '--band', CONTROL],
  ['--wattle', '--fill', CONTROL],
  ['--on-accent', '--wattle', TEXT],
  ['--on-accent', '--wattle-deep', TEXT],
  // The open page in the menu, icons, the edge of a callout.
  ...on('--accent-mark', grounds.site, CONTROL),
]

/** Of sign-in and portal by day. Of them, `selected` and `reply` have texts of all kinds. */
const tints = ['--selected', '--reply', 'action 14%', 'action 16%']
const staffPairs: readonly Pair[] = [
  ...sitePairs,
  ...on('--eucalyptus', [...grounds.staff, ...tints], TEXT),
  ...on('--eucalyptus-deep', [...grounds.staff, ...tints], TEXT),
  ...on('#0f2e3d', tints, TEXT),
  ...on('#48606d', ['--selected', '--reply'], TEXT),
  ...on('--accent-mark', grounds.staff, CONTROL),
]

const darkPairs: readonly Pair[] = [
  ...on('--action', [...grounds.dark, ...tints], TEXT),
  ...on('--action-deep', [...grounds.dark, ...tints], TEXT),
  ['--on-action', '--fill', TEXT],
  ['--on-action', '--action', TEXT],
  ['--on-action', '--action-deep', TEXT],
  ...on('#e9f0f2', tints, TEXT),
  ...on('#a9bcc5', ['--selected', '--reply'], TEXT),
  ...on('--accent-mark', grounds.dark, CONTROL),
]

function colourOf(name: string, tokens: Tokens, ground: string): string {
  const share = /^action (\d+)%$/.exec(name)?.[1]
  const action = tokens['--action'] ?? tokens['--eucalyptus'] ?? ''
  return share ? mix(action, ground, Number(share) / 100) : (tokens[name] ?? name)
}

function assertHolds(pairs: readonly Pair[], tokens: Tokens, ground: string, about: string) {
  for (const [over, under, least] of pairs) {
    const [a, b] = [colourOf(over, tokens, ground), colourOf(under, tokens, ground)]
    const ratio = contrast(a, b)
    assert.ok(ratio >= least, `${about}: ${over} ${a} on ${under} ${b} has ${ratio.toFixed(2)}`)
  }
}

const random = randomFrom('brand')
const randomColour = () =>
  `#${Math.floor(random() * 0x1000000)
    .toString(16)
    .padStart(6, '0')}`
const corners = [
  '#000000',
  '#ffffff',
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#ffff00',
  '#00ffff',
  '#777777',
  '#767676',
]
const colours = [...corners, ...Array.from({ length: 1000 }, randomColour)]

suite('The colours of a brand', () => {
  test('whatever the two colours, each text has 4.5 and each control 3 on every ground of every kind of page', () => {
    for (const [at, main] of colours.entries()) {
      const accent = colours[colours.length - 1 - at] ?? '#000000'
      const about = `${main} with ${accent}`
      assertHolds(sitePairs, brandTokens({ main, accent }, 'site').light, '#ffffff', about)
      const { light, dark } = brandTokens({ main, accent }, 'staff')
      assertHolds(staffPairs, light, '#ffffff', about)
      assertHolds(darkPairs, dark, '#0d1f29', `${about}, dark`)
    }
  })

  test('with one of the two colours, the other is that of the product and holds all the same', () => {
    for (const colour of colours.slice(0, 300)) {
      const { light } = brandTokens({ main: colour }, 'site')
      assertHolds(sitePairs, light, '#ffffff', `only main ${colour}`)
      const product = { '--band': own.band, '--fill': own.main }
      const accents = { ...product, ...brandTokens({ accent: colour }, 'staff').light }
      const pairs = staffPairs.filter(pair => pair.some(name => /accent|wattle/.test(String(name))))
      assertHolds(pairs, accents, '#ffffff', `only accent ${colour}`)
    }
  })

  test('an email has the main colour where it can be read, by day and in the dark', () => {
    for (const main of colours) {
      const { edge, link, dark } = emailColours({ main }) ?? { edge: '', link: '', dark: '' }
      assert.ok(contrast(edge, '#ffffff') >= CONTROL, `${main}: ${edge}`)
      assert.ok(contrast(link, '#ffffff') >= TEXT, `${main}: ${link}`)
      assert.ok(contrast(dark, '#14303d') >= TEXT && contrast(dark, '#0d1f29') >= CONTROL, `${main}: ${dark}`)
    }
    assert.ok(contrast('#a9bcc5', '#14303d') >= TEXT && contrast('#e9f0f2', '#14303d') >= TEXT)
    for (const brand of [undefined, {}, { main: '#12' }, { accent: '#ffffff' }])
      assert.equal(emailColours(brand), null)
  })

  test('the owner’s own colour stays wherever it holds, and moves only where it fails', () => {
    const { light } = brandTokens({ main: '#7a2e4a', accent: '#e8c170' }, 'site')
    assert.equal(light['--eucalyptus'], '#7a2e4a')
    assert.equal(light['--band'], '#7a2e4a')
    assert.equal(light['--wattle'], '#e8c170')
    assert.notEqual(light['--accent-mark'], '#e8c170')
    // White can be read on it, and it cannot be read on sandstone.
    const brink = brandTokens({ main: '#757575' }, 'site').light
    assert.equal(brink['--fill'], '#757575')
    assert.notEqual(brink['--eucalyptus'], '#757575')
  })

  test('the screen names what holds and what stands in its place, with numbers', () => {
    const holds = usesOfMain('#7a2e4a')
    assert.deepEqual(
      holds.map(use => [use.label, use.used, use.contrast.toFixed(1), use.contrast >= use.least]),
      [
        ['White on it', '#7a2e4a', '9.1', true],
        ['On white', '#7a2e4a', '9.1', true],
        ['On the sand-coloured ground', '#7a2e4a', '8.2', true],
      ],
    )
    const uses = usesOfAccent({ main: '#7a2e4a', accent: '#e8c170' })
    assert.deepEqual(
      uses.map(({ contrast: ratio, least }) => ratio >= least),
      [false, false, true],
    )
    for (const use of [...uses, ...usesOfMain('#ffee00')])
      assert.ok(use.contrastOfUsed >= use.least, use.label)
  })

  test('without a colour, and with half of one in a draft, there is nothing', () => {
    const none = { light: {}, dark: {} }
    for (const main of [
      undefined,
      '',
      '#12',
      'red',
      '#1234567',
      '#12345g',
      'red;}body{display:none',
      '#12345\n',
    ])
      assert.deepEqual(brandTokens({ main }, 'staff'), none)
  })

  test('contrast, mixing and shades agree with what is known of them', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54')
    assert.equal(mix('#ffffff', '#000000', 0.2), '#333333')
    for (const colour of colours.slice(0, 50)) assert.equal(shade(colour, 0), colour)
    assert.equal(shade('#7a2e4a', -100), '#000000')
    assert.equal(
      fit('#ffff00', 'darker', () => false),
      '#000000',
    )
  })

  test('what the product comes with is what its stylesheets have', () => {
    const sheet = readFileSync('src/ui/styles/tokens.css', 'utf8')
    assert.match(sheet, new RegExp(`--eucalyptus: ${own.main};`))
    assert.match(sheet, new RegExp(`--wattle: ${own.accent};`))
    assert.match(sheet, new RegExp(`--ocean: ${own.band};`))
    const staff = readFileSync('src/ui/styles/staff-tokens.css', 'utf8')
    for (const ground of [...grounds.dark, ...grounds.staff.slice(2)])
      assert.ok(staff.includes(ground), ground)
  })
})

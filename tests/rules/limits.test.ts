import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { days, hours, minutes, seconds } from '../../src/platform/clock.ts'

const CONSTANT = /^(?:export )?const ([A-Z][A-Z\d_]+) = (?:(\w+)\()?([\d_.* ]+)\)?$/gm
const LITERAL = /maxLength=\{\d{2,}\}/g
const units: Readonly<Record<string, (count: number) => number>> = { seconds, minutes, hours, days }

/** Names for how something is done, not for what it is about: two of them may be equal by chance. */
const generic = ['AT_ONCE', 'CHUNK_SIZE', 'RETRY_DELAY', 'SHOWN']

const files = globSync('src/**/*.{ts,tsx}').filter(file => !/\.test\./.test(file))

suite('Limits', () => {
  test('no limit or lifetime is written in two files', () => {
    const places = new Map<string, string[]>()
    for (const file of files)
      for (const [, name = '', unit = '', number = ''] of readFileSync(file, 'utf8').matchAll(CONSTANT)) {
        const product = number.split('*').reduce((all, part) => all * Number(part.replaceAll('_', '')), 1)
        const limit = `${name} = ${units[unit]?.(product) ?? product}`
        places.set(limit, [...(places.get(limit) ?? []), file])
      }
    assert.ok(places.size > 300, `${places.size}`)
    const twice = [...places].filter(
      ([limit, at]) => at.length > 1 && !generic.some(name => limit.startsWith(`${name} `)),
    )
    assert.deepEqual(twice, [])
  })

  test('a field takes its length from the contract that the server checks', () => {
    const found = files.flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(LITERAL)].map(([text]) => `${file} ${text}`),
    )
    assert.deepEqual(found, [])
  })
})

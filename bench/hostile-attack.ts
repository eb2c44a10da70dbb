import { attacks } from './hostile-attacks.ts'

/**
 * One attack in a process of its own, so that what the visitors measure is the server and not the attacker:
 * `node bench/hostile-attack.ts NAME URL COOKIE`. It runs until standard input ends.
 */
const [name, url = '', cookie = ''] = process.argv.slice(2)
const attack = attacks.find(each => each.name === name)
if (!attack) throw new Error(`There is no attack "${name}"`)
const { end } = await attack.begin({ url, cookie })
for await (const _ of process.stdin);
await end()
process.exit(0)

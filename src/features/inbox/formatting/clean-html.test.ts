// In a process of its own: it measures processor time and the turns of the event loop.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hostileMails } from '../../../../tests/support/hostile-mail.ts'
import { longestTurn } from '../../../../tests/support/longest-turn.ts'
import { processorTime, threadTime } from '../../../../tests/support/processor-time.ts'
import { cleanDeclarations, cleanSheet } from './clean-css.server.ts'
import { cleanHtml } from './clean-html.server.ts'

const bodyOf = async (html: string) => (await cleanHtml(html)).body

suite('The formatting of a mail', () => {
  test('what a mail is written in stays as its sender has formatted it', async () => {
    for (const html of [
      '<p style="color:#c00;margin:0 0 1em">Dear <b>Mei</b>,<br>thank you</p>',
      '<table width="600" cellpadding="4"><tbody><tr><td align="right" style="width:50%">1</td></tr></tbody></table>',
      '<ul><li>One</li><li>Two</li></ul>',
      '<blockquote type="cite"><div dir="rtl" lang="ar">مرحبا</div></blockquote>',
      '<font face="Arial" size="2" color="navy">x</font>',
      '<img src="data:image/png;base64,iVBORw0KGgo=" width="20" alt="A seal">',
    ])
      assert.equal(await bodyOf(html), html)
    assert.equal(await bodyOf('1 &lt; 2 &amp; 3 > 2 &eacute;'), '1 &lt; 2 &amp; 3 &gt; 2 &eacute;')
    assert.equal(await bodyOf('a < b <3 <'), 'a &lt; b &lt;3 &lt;')
    const { styles } = await cleanHtml(
      '<style><!-- p.MsoNormal, li { margin:0cm; font-size:11.0pt } --></style>',
    )
    assert.equal(styles, 'p.MsoNormal, li{margin:0cm;font-size:11.0pt}')
    assert.equal(
      await bodyOf('<body bgcolor="#eee" style="color:#111">x</body>'),
      '<div style="background-color:#eee;color:#111">x</div>',
    )
  })

  test('nothing that fetches, refreshes or sends is left of it, in whatever way it is written (G35)', async () => {
    const mails = Object.entries(hostileMails('http://marker.test:8080'))
    assert.ok(mails.length >= 40)
    for (const [name, html] of mails) {
      const { body, styles } = await cleanHtml(html)
      // As text it is harmless: an element or an attribute would name it within its brackets.
      const tags = (body.match(/<[^>]*>/g) ?? []).join('')
      assert.doesNotMatch(tags + styles, /marker|url\(|image-set|@/i, name)
      assert.doesNotMatch(
        tags,
        /<\/?(?:script|style|link|meta|base|i?frame|object|embed|form|input|svg|math|video|audio|source)/i,
        name,
      )
      assert.doesNotMatch(tags, /\s(?:on\w+|srcset|background|ping|action|poster|data|id|name)=/i, name)
    }
  })

  test('a link opens in another tab, says where it leads, and leads to a page, an address or a number only (G35)', async () => {
    assert.equal(
      await bodyOf(
        '<a href="https://bank.test/?a=1&amp;b=2" ping="https://x.test" target="_top" onclick="x()">Bank</a>',
      ),
      '<a href="https://bank.test/?a=1&#38;b=2" target="_blank" rel="noopener noreferrer" title="https://bank.test/?a=1&#38;b=2">Bank</a>',
    )
    for (const href of ['mailto:mai@visitor.test', 'tel:+61400000000', ' HTTP://visitor.test/ '])
      assert.match(
        await bodyOf(`<a href="${href}">x</a>`),
        /^<a href="[^"]+" target="_blank" rel="noopener noreferrer"/,
      )
    for (const href of [
      'javascript:alert(1)',
      'java&#115;cript&colon;alert(1)',
      'java&Tab;script:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,x',
      'blob:https://x.test/1',
      'file:///etc/passwd',
      '//visitor.test',
      '/settings',
      '#top',
      `https://visitor.test/${'a'.repeat(5000)}`,
    ])
      assert.equal(await bodyOf(`<a href="${href}">x</a>`), '<a>x</a>', href)
  })

  test('no title of the sender stands over a link in place of its address (G35)', async () => {
    const link =
      '<a href="https://x.test/" target="_blank" rel="noopener noreferrer" title="https://x.test/">'
    const picture = '<img src="data:image/png;base64,AA==" title="https://bank.test">'
    assert.equal(
      await bodyOf(
        `<a title="https://bank.test" href="https://x.test"><b title="https://bank.test">x</b>${picture}</a>`,
      ),
      `${link}<b>x</b><img src="data:image/png;base64,AA=="></a>`,
    )
  })

  test('a cell spans a few others, and all together no more than a browser draws at once', async () => {
    const spans = '<col span="2"><td colspan="3" rowspan="50">x</td>'
    assert.equal(await bodyOf(spans), spans)
    for (const value of ['51', '999', '0', '-1', ' 99', '9e9', '99x', '+99'])
      assert.equal(
        await bodyOf(`<td colspan="${value}" rowspan="${value}">x</td><col span="${value}">`),
        '<td>x</td><col>',
        value,
      )
    const many = await bodyOf('<tr><td colspan=50 rowspan=50>x</td></tr>'.repeat(5000))
    assert.equal(many.match(/colspan="50" rowspan="50"/g)?.length, 8)
    assert.equal(many.match(/<td/g)?.length, 5000)
  })

  test('a picture that would be fetched leaves its description, and one that only counts readers leaves nothing', async () => {
    assert.equal(
      await bodyOf('<img alt="Our <b> office" src="https://x.test/1.png">'),
      '<span>[Our &#60;b&#62; office]</span>',
    )
    assert.equal(await bodyOf('<img src="cid:seal@x.test" alt="Seal">'), '<span>[Seal]</span>')
    assert.equal(await bodyOf('<img src="https://x.test/open.gif" width="1" height="1">'), '')
    assert.equal(await bodyOf('<img src="data:image/svg+xml;base64,AAAA">'), '')
  })

  test('what is written is well-formed and of bounded depth, whatever is opened and closed', async () => {
    assert.equal(await bodyOf('<b><p>one</b>two</p></div>'), '<b><p>one</p></b>two')
    assert.equal(await bodyOf('<p><i>a<p>b'), '<p><i>a</i></p><p>b</p>')
    assert.equal(
      await bodyOf('<a href="https://a.test">x<a href="https://b.test">y'),
      await bodyOf('<a href="https://a.test">x</a><a href="https://b.test">y</a>'),
    )
    const deep = await bodyOf('<div>'.repeat(100_000))
    assert.equal(deep.match(/<div>/g)?.length, 100)
    assert.equal(deep.match(/<\/div>/g)?.length, 100)
    const wide = await bodyOf('<b>x</b>'.repeat(60_000))
    assert.equal(wide.match(/<b>/g)?.length, 20_000)
    assert.equal(wide.match(/x/g)?.length, 60_000, 'the words stay')
    assert.equal(await bodyOf('x<!-- never ends <b>'), 'x')
    assert.equal(await bodyOf('x<script>never ends <b>'), 'x')
    assert.equal(await bodyOf('x<b title="never ends'), 'x')
  })

  test('a style has properties that draw text, and values that fetch nothing (G35)', async () => {
    assert.equal(
      cleanDeclarations(
        'Color: RED; font-family:"Segoe UI",Arial; width: calc(100% - 2px); color:rgb(1, 2, 3) !important',
      ),
      'color:RED;font-family:"Segoe UI",Arial;width:calc(100% - 2px);color:rgb(1, 2, 3) !important',
    )
    for (const css of [
      'background:url(x)',
      'background:u\\72l(x)',
      'background:\\75rl(x)',
      'background:u/**/rl(x)',
      'background:URL (x)',
      'background:-webkit-image-set("x" 1x)',
      'background:image("x")',
      'width:expression(alert(1))',
      'position:fixed',
      'behavior:url(x)',
      '-moz-binding:url(x)',
      'content:"x"',
      'color:red}p{color:blue',
      'color:"red',
      'color:var(--x)',
      '--x:url(x)',
      `color:${'a'.repeat(501)}`,
    ])
      assert.doesNotMatch(
        cleanDeclarations(css),
        /url\(|image|expression|fixed|content|[{}]|"red|--|aaaa/i,
        css,
      )
    assert.equal(
      await cleanSheet(
        '@import "x"; @media print { p { color: red } } a { color: red; background: url(x) } </style><img> b { color: blue }',
      ),
      'a{color:red}',
    )
    assert.equal(
      await cleanSheet('p { color: red /* { */ } q[title] { color: red } i { x: { color: red } }'),
      'p{color:red}',
    )
  })

  test('half a megabyte of the worst HTML is read in linear time, and holds up nobody', async () => {
    const rule = `color:${'a'.repeat(497)}(`
    const worst = {
      ...repeated('<'),
      ...repeated('<a '),
      ...repeated('<!--'),
      ...repeated('<a b="'),
      ...repeated("<a b='c"),
      ...repeated('<p><font size=1>'),
      ...repeated('<style>{'),
      ...repeated('&#x3c;'),
      ...repeated('</b>'),
      ...repeated('<svg>'),
      ...repeated('<svg></svg>'),
      ...repeated(' style="a:('),
      ...repeated('</style ', '<style>'),
      ...repeated('</title/', '<title>'),
      ...repeated(`a{${rule}}`, '<style>'),
      ...repeated('a{}', '<style>'),
      ...repeated('color:red;', '<style>a{'),
      ...repeated('/*', '<style>'),
      ...repeated('color:red;', '<b style="'),
      ...repeated('&#x3c;', '<b title="'),
      ...repeated(`<b style="${rule}">`),
      ...repeated('<b style="color:red;width:1px" class="a b">x</b>'),
      ...attributes,
    }
    const times: string[] = []
    let turn = 0
    async function clean() {
      for (const [name, html] of Object.entries(worst)) {
        const start = threadTime()
        await cleanHtml(html)
        times.push(`${name}: ${Math.round(threadTime() - start)} ms`)
      }
    }
    const time = await processorTime(async () => {
      turn = await longestTurn(clean)
    })
    assert.ok(time < 3000, `${time} ms\n${times.join('\n')}`)
    assert.ok(turn < 60, `a turn of ${turn} ms\n${times.join('\n')}`)
  })
})

const LENGTH = 512 * 1024

const repeated = (part: string, start = '') => ({
  [(start + part).slice(0, 60)]: start + part.repeat(Math.floor(LENGTH / part.length)),
})

/** Each of another name. */
const attributes = {
  'one tag of many attributes': `<b ${Array.from({ length: 60_000 }, (_, at) => `a${at}=1`).join(' ')}>`,
}

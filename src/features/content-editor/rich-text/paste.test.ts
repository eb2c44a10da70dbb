// In a process of its own: it measures processor time.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { EditorState, TextSelection } from 'prosemirror-state'
import { hostileTexts } from '../../../../tests/support/hostile-texts.ts'
import { processorTime } from '../../../../tests/support/processor-time.ts'
import fc from '../../../../tests/support/properties.ts'
import { RichText } from '../../../content/rich-text.ts'
import { readHtml, readPlainText } from './html-blocks.ts'
import { hasTable, paste } from './paste.ts'
import { toLines } from './rich-text-lines.ts'
import { limitListDepth, readDoc, writeDoc } from './schema.ts'

/** Milliseconds in which somebody who pastes does not wait. */
const MAX_TIME = 2000

const lines = (html: string) => toLines({ type: 'doc', content: readHtml(html) })

const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><title>x</title>
<!--[if gte mso 9]><xml><w:WordDocument>Normal</w:WordDocument></xml><![endif]-->
<style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang=EN-AU><!--StartFragment-->
<h1 style='mso-list:l0 level1 lfo1'>Our fees<o:p></o:p></h1>
<p class=MsoNormal><b style='mso-bidi-font-weight:normal'>We charge</b>&nbsp;before
we start &#8211; always.<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;
</span></span></span><![endif]>First<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span
style='mso-list:Ignore'>a)<span>&nbsp;</span></span><![endif]>Within</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='mso-list:Ignore'>·</span><![endif]>Second</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.</span>One</p>
<!--EndFragment--></body></html>`

suite('Pasted rich text', () => {
  test('a text from Word keeps its headings, marks and lists, and nothing of its styles', () => {
    assert.equal(
      lines(word),
      [
        '## Our fees',
        '**We charge** before we start – always.',
        '- First\n  1. Within\n- Second',
        '1. One',
      ].join('\n\n'),
    )
  })

  test('a text from Google Docs or a web page keeps what a text can hold', () => {
    for (const [html, expected] of [
      [
        '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:700">Bold</span> not</p></b>',
        '**Bold** not',
      ],
      ['<ul><li><p>a</p></li><ul><li>b</li></ul><li>c<li>d</ul>', '- a\n  - b\n- c\n- d'],
      ['<ol><li>a<ul><li>b<ol><li>c</ol></ul></ol><ol><li>x</ol>', '1. a\n  - b\n  1. c\n\n1. x'],
      ['<h1>A</h1><h2>B</h2><h5>C</h5><pre>D\nE</pre>', '## A\n\n## B\n\n### C\n\nD E'],
      [
        '<table><thead><tr><th>Fee<th>Due<tbody><tr><td><p>1</p><p>2</p></td><td>3</td></tr></table>After',
        'Fee | Due\n\n1 2 | 3\n\nAfter',
      ],
      ['See <a href="/fees">fees</a>, <a href="javascript:attacked=1">this</a>', 'See [fees](/fees), this'],
      ['<a href="https://agency.test/?a=1&amp;b=2"><i>x</i></a>', '[*x*](https://agency.test/?a=1&b=2)'],
      [
        'one<br>two<hr>three<img src="data:image/png;base64,AAAA" alt="A harbour">',
        'one\n\ntwo\n\nthreeA harbour',
      ],
      ['<p>Pay <span data-fact="pay">79,499 AUD</span>.</p>', 'Pay {pay}.'],
      ['<p title="a > b">x &lt;b&gt; &hellip; &eacute; &unknown; 1 < 2</p>', 'x <b> … é &unknown; 1 < 2'],
      ['<script>attacked=1</script>a<style>b</style><textarea>c</textarea>', 'ac'],
    ] as const)
      assert.equal(lines(html), expected)
    assert.deepEqual(
      readPlainText('a\r\nb\n\n\n\tc\0').map(({ content }) => content),
      [[{ type: 'text', text: 'a' }], [{ type: 'text', text: 'b' }], [{ type: 'text', text: ' c ' }]],
    )
  })

  test('a table of two cells or more is noticed, because a text shows it as lines', () => {
    const cells = (count: number) => `<table><tr>${'<td>65</td>'.repeat(count)}</tr></table>`
    assert.deepEqual([0, 1, 2, 3].map(cells).map(hasTable), [false, false, true, true])
    assert.equal(hasTable('<p>Read the <thing>, <tdx>'), false)
  })

  test('a text that was copied here keeps its spaces', () => {
    assert.equal(lines('<p data-pm-slice="1 1 []">a\u00a0 b</p>'), 'a\u00a0 b')
  })

  test('whatever is pasted, and wherever, the text is one that the server accepts (W3)', () => {
    const markup = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<ul>',
        '</ul>',
        '<ol>',
        '<li>',
        '</li>',
        '<h2>',
        '<b>',
        '</b>',
        '<a href="/fees">',
        '<a href="javascript:attacked=1">',
        '</a>',
      ],
      ...[
        '<td>',
        '<tr>',
        '<table>',
        '<span data-fact="pay">',
        '</span>',
        'text',
        ' ',
        '<!--',
        '-->',
        '&amp;',
        '"',
      ],
      ...["<p style='mso-list:l0 level2'>", "<span style='mso-list:Ignore'>1.", '<br>', '\ud800', '\0'],
      ...hostileTexts,
    )
    const html = fc.array(markup, { maxLength: 25 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(html, html, fc.nat(), fc.nat(), (before, pasted, from, to) => {
        let state = EditorState.create({
          doc: readDoc({ type: 'doc', content: readHtml(before) }) ?? assert.fail(before),
          plugins: [limitListDepth],
        })
        const { size } = state.doc.content
        const at = (place: number) => state.doc.resolve(place % (size + 1))
        state = state.apply(state.tr.setSelection(TextSelection.between(at(from), at(to))))
        state = state.apply(paste(state, { html: pasted, text: '' }) ?? assert.fail())
        state.doc.check()
        const written = writeDoc(state.doc)
        assert.deepEqual(RichText.safeParse(written).error?.issues, undefined)
        const kept = state.doc.textContent.replace(/\s/g, '')
        for (const block of readHtml(pasted)) {
          const text = readDoc({ type: 'doc', content: [block] })?.textContent.replace(/\s/g, '') ?? ''
          assert.ok(kept.includes(text), `${text} is in ${kept}`)
        }
      }),
      { numRuns: 1500 },
    )
  })

  test('a list that is pasted into a list becomes no deeper than the server accepts (W3)', () => {
    const nested = '<ul><li>one<ul><li>two</li></ul></li></ul>'
    const doc = readDoc({ type: 'doc', content: readHtml(nested) }) ?? assert.fail()
    const end = TextSelection.atEnd(doc)
    const state = EditorState.create({ doc, selection: end, plugins: [limitListDepth] })
    const pasted = paste(state, { html: `${nested}${nested}`, text: '' }) ?? assert.fail()
    const after = state.apply(pasted).doc
    assert.ok(RichText.safeParse(writeDoc(after)).success, toLines(writeDoc(after)))
    assert.equal(after.textContent, 'onetwoonetwoonetwo')
  })

  test('an address that is pasted onto words links them', () => {
    const start = readDoc({ type: 'doc', content: readPlainText('Our fees') }) ?? assert.fail()
    const state = EditorState.create({ doc: start, selection: TextSelection.create(start, 5, 9) })
    const linked = paste(state, { html: '<a href="https://a.test">x</a>', text: ' https://a.test ' })
    assert.equal(toLines(writeDoc(linked?.doc ?? assert.fail())), 'Our [fees](https://a.test)')
    const typed = paste(state, { html: '', text: 'javascript:attacked=1' })
    assert.equal(toLines(writeDoc(typed?.doc ?? assert.fail())), 'Our javascript:attacked=1')
  })

  test('a text that is nested 50,000 deep or a megabyte long is pasted without waiting (W3)', async () => {
    const state = EditorState.create({ doc: readDoc({ type: 'doc', content: [] }) ?? assert.fail() })
    for (const html of [
      `${'<div>'.repeat(50_000)}deep${'</div>'.repeat(50_000)}`,
      `${'<ul><li>'.repeat(50_000)}deep`,
      `${'<b><i>'.repeat(50_000)}deep${'</x>'.repeat(50_000)}`,
      `deep${'<p "'.repeat(250_000)}`,
      `deep${'<!--'.repeat(250_000)}`,
      `deep${'<script'.repeat(150_000)}`,
      `deep${'<a href'.repeat(150_000)}`,
      `deep${'&amp'.repeat(250_000)}`,
      `deep${'<td>'.repeat(250_000)}`,
      `deep ${'word '.repeat(200_000)}`,
      `<img alt="deep" ${'a '.repeat(500_000)}>`,
      `<p>deep${'word '.repeat(200)}</p>`.repeat(900),
    ]) {
      let text = ''
      const time = await processorTime(() => {
        text = paste(state, { html, text: '' })?.doc.textContent ?? ''
      })
      assert.ok(text.includes('deep'), html.slice(0, 40))
      assert.ok(time < MAX_TIME, `${time} ms for ${html.slice(0, 40)}`)
    }
    assert.equal(paste(state, { html: '', text: 'a\n'.repeat(1001) }), null)
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { escapeXml } from './feed.server.ts'

suite('Text in XML', () => {
  test('text in XML has no markup of its own, and no character that XML forbids', () => {
    assert.equal(escapeXml('a<b>&"c"'), 'a&lt;b&gt;&amp;&quot;c&quot;')
    assert.equal(escapeXml('Fees\u0000\u000b\u001f\ufffe\uffff\ud800 for \udfffall'), 'Fees for all')
    assert.equal(escapeXml('Zoë’s\t😀\n'), 'Zoë’s\t😀\n')
  })
})

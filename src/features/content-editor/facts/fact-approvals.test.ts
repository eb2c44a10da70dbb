import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fee, openFacts } from '../../../../tests/support/facts.ts'
import { facts } from './contract.ts'

suite('Approvals of facts', async () => {
  const { testApp, user, ana, ben, set, newName, find, add, put } = await openFacts()
  const { services } = testApp

  test('a change of a fact waits while publishing needs a second person, and only they approve it (W10)', async () => {
    const { name, revision } = await add()
    await set('true')
    assert.equal((await put(newName(), fee)).status, 200, 'no page shows a new fact yet')
    const changed = { ...fee, value: 'AUD 4,000' }
    const { fact: asked } = await put(name, changed, revision)
    assert.deepEqual([asked.fact, asked.proposal.fact, asked.proposal.isOwn], [fee, changed, true])
    assert.equal(services.content.read().facts.get(name)?.value, fee.value)
    const own = await ana.send('POST', '/api/content/facts/approve', { name, proposal: asked.proposal.id })
    assert.deepEqual([own.status, (await own.json()).code], [403, 'own_review'])
    assert.equal(services.content.read().facts.get(name)?.value, fee.value)
    const { fact } = await ben.call(facts.approve, { name, proposal: asked.proposal.id })
    assert.deepEqual([fact.fact, fact.proposal, fact.checkedBy], [changed, null, user.name])
    assert.equal(services.content.read().facts.get(name)?.value, 'AUD 4,000')
    await set('false')
  })

  test('only the change of a fact that was seen is approved, and once (W11)', async () => {
    const { name, revision } = await add()
    await set('true')
    const first = (await put(name, { ...fee, value: 'First' }, revision)).fact.proposal
    const second = (await put(name, { ...fee, value: 'Second' }, revision)).fact.proposal
    const approve = async (proposal: string) => {
      const reply = await ben.send('POST', '/api/content/facts/approve', { name, proposal })
      return { status: reply.status, ...(await reply.json()) }
    }
    assert.deepEqual(
      [(await approve(first.id)).code, (await find(name))?.fact.value],
      ['fact_changed', fee.value],
    )
    const replies = await Promise.all([approve(second.id), approve(second.id)])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
    const { fact } = await put(name, { ...fee, value: 'Third' }, (await find(name))?.revision ?? 0)
    await ben.call(facts.discard, { name, proposal: fact.proposal.id })
    assert.equal((await approve(fact.proposal.id)).status, 409)
    assert.equal((await find(name))?.fact.value, 'Second')

    // Without the setting a change shows at once, and nothing waits any more.
    const waiting = (await put(name, { ...fee, value: 'Fourth' }, (await find(name))?.revision ?? 0)).fact
    await set('false')
    const { fact: now } = await put(name, { ...fee, value: 'Fifth' }, waiting.revision)
    assert.deepEqual([now.fact.value, now.proposal], ['Fifth', null])
    assert.equal((await approve(waiting.proposal.id)).status, 409)
  })
})

import { call } from '../../../ui/client.ts'
import { useContentWrite } from '../queries.ts'
import { type FactChange, type FactDecision, facts } from './contract.ts'

// Apart from what reads facts, because the editor of a document changes none.

const shown = (name: string) => `Every page that refers to ${name} shows it now.`

export const useChangeFact = () =>
  useContentWrite((change: FactChange) => call(facts.change, change), {
    done: ({ fact: { name, proposal } }) =>
      proposal
        ? { title: 'Review Requested', description: `Somebody else must approve the change of ${name}.` }
        : { title: 'Fact Saved', description: shown(name) },
    failed: 'Failed to save the fact',
  })

export const useApproveFact = () =>
  useContentWrite((decision: FactDecision) => call(facts.approve, decision), {
    done: (_reply, { name }) => ({ title: 'Approved', description: shown(name) }),
    failed: 'Failed to approve',
  })

export const useDiscardFact = () =>
  useContentWrite((decision: FactDecision) => call(facts.discard, decision), {
    done: (_reply, { name }) => ({ title: 'Change Discarded', description: `${name} stays as it is.` }),
    failed: 'Failed to discard the change',
  })

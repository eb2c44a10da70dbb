import { useState } from 'react'
import { call } from '../../../src/ui/client.ts'
import { useWrite } from '../../../src/ui/form/use-write.ts'
import { showToast } from '../../../src/ui/toast/toast.ts'
import { things } from './contract.ts'

/** Buttons that write: one of a form, and one in each row of a list. */
export function WritesStory() {
  const [name, setName] = useState('One')
  const create = useWrite({
    mutationFn: () => call(things.create, { name }),
    onSuccess: () => showToast({ title: 'Saved' }),
  })
  const touch = useWrite({ mutationFn: (row: string) => call(things.create, { name: row }) }, row => row)
  return (
    <main id="main">
      <form
        onSubmit={event => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <label>
          Name <input className="control" value={name} onChange={event => setName(event.target.value)} />
        </label>
        <button type="submit" className="button">
          Save
        </button>
      </form>
      {['Row 1', 'Row 2'].map(row => (
        <button key={row} type="button" className="button" onClick={() => touch.mutate(row)}>
          {row}
        </button>
      ))}
    </main>
  )
}

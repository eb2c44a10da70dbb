import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { CancelButton, Dialog } from '../../../ui/dialog/dialog.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showToast } from '../../../ui/toast/toast.ts'
import { readStale } from '../../../ui/use-call.ts'
import { REDIRECTS_AT_ONCE, redirects } from './contract.ts'
import { type RedirectLine, readRedirectLines } from './redirect-lines.ts'

interface Checked {
  readonly lines: readonly RedirectLine[]
  /** What would be added or changed, line by line. */
  readonly good: readonly RedirectLine[]
  readonly changed: number
  readonly same: number
}

/** Reads old addresses from a file, says what is wrong by line, and adds the others. */
export function RedirectFile({ onClose }: { onClose: () => void }) {
  const [checked, setChecked] = useState<Checked | null>(null)
  const [error, setError] = useState<string | null>(null)
  const client = useQueryClient()
  const check = useWrite({
    mutationFn: async (file: File) => await checkLines(readRedirectLines(await file.text())),
    onSuccess: setChecked,
    onError: failure => setError(failure.message || 'The file could not be read'),
  })
  const add = useWrite({
    mutationFn: async (lines: readonly RedirectLine[]) => await sendLines(lines, false),
    onSuccess(outcomes) {
      const refused = outcomes.filter(({ outcome }) => outcome === 'refused').length
      const description = refused > 0 ? `${refused} were refused meanwhile.` : 'They lead there from now on.'
      showToast({ title: `${outcomes.length - refused} addresses added`, description })
      onClose()
    },
    onError: failure => setError(failure.message || 'The addresses could not be added'),
    onSettled: () => readStale(client, redirects.add),
  })
  const wrong = checked?.lines.filter(({ error: problem }) => problem !== '') ?? []
  return (
    <Dialog
      title="Import old addresses"
      onClose={onClose}
      actions={
        <>
          <CancelButton />
          {checked && checked.good.length > 0 && (
            <Button kind="primary" isIdle={add.isPending} onClick={() => add.mutate(checked.good)}>
              {add.isPending ? 'Adding …' : `Add ${checked.good.length} addresses`}
            </Button>
          )}
        </>
      }
    >
      <Field
        label="CSV file"
        hint="One address on a line: the old one, a comma, and the page to which it leads, such as /2021/03/fees,/fees"
        error={error ?? undefined}
      >
        {control => (
          <input
            {...control}
            className="control"
            type="file"
            accept=".csv,text/csv,text/plain"
            disabled={check.isPending || add.isPending}
            onChange={({ target }) => {
              setChecked(null)
              setError(null)
              const [file] = target.files ?? []
              if (file) check.mutate(file)
            }}
          />
        )}
      </Field>
      {check.isPending && <p role="status">Reading …</p>}
      {checked && (
        <div role="status">
          <p>
            {checked.good.length} can be added
            {checked.changed > 0 && `, of which ${checked.changed} lead elsewhere now`}
            {checked.same > 0 && `, ${checked.same} are here already`}
            {wrong.length > 0 && `, ${wrong.length} cannot`}.
          </p>
          <ul className="content-editor-report">
            {wrong.slice(0, SHOWN_ERRORS).map(({ number, from, error: problem }) => (
              <li key={number} className="small break">
                <b>Line {number}</b> <span dir="auto">{from}</span>: {problem}
              </li>
            ))}
          </ul>
          {wrong.length > SHOWN_ERRORS && (
            <p className="quiet">{wrong.length - SHOWN_ERRORS} more lines are wrong.</p>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** Of a file that is of something else altogether. */
const SHOWN_ERRORS = 100

/** Has the server say what each line would do. */
async function checkLines(lines: readonly RedirectLine[]): Promise<Checked> {
  const possible = lines.filter(({ error }) => error === '')
  const outcomes = await sendLines(possible, true)
  const errors = new Map<number, string>()
  const good: RedirectLine[] = []
  for (const [at, line] of possible.entries()) {
    const outcome = outcomes[at]
    if (outcome?.outcome === 'refused') errors.set(line.number, outcome.message)
    else if (outcome?.outcome !== 'same') good.push(line)
  }
  const count = (kind: string) => outcomes.filter(({ outcome }) => outcome === kind).length
  return {
    lines: lines.map(line => ({ ...line, error: line.error || (errors.get(line.number) ?? '') })),
    ...{ good, changed: count('changed'), same: count('same') },
  }
}

async function sendLines(lines: readonly RedirectLine[], isTrial: boolean) {
  const outcomes = []
  for (let at = 0; at < lines.length; at += REDIRECTS_AT_ONCE) {
    const some = lines.slice(at, at + REDIRECTS_AT_ONCE).map(({ from, to }) => ({ from, to }))
    outcomes.push(...(await call(redirects.add, { redirects: some, isTrial })).outcomes)
  }
  return outcomes
}

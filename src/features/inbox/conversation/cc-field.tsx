import { TextField } from '../../../ui/field.tsx'
import { outgoing } from './outgoing.ts'

interface CcFieldProps {
  /** Of the message. */
  readonly id: string
  readonly name: string
  readonly to: string
  readonly cc: string | null
  readonly error: string | undefined
}

/** To whom the reply goes, and who gets a copy. */
export function CcField({ id, name, to, cc, error }: CcFieldProps) {
  const setCc = (typed: string | null) => outgoing(id).set({ cc: typed })
  return (
    <>
      <div className="inbox-composer-to">
        <span className="inbox-quiet">To</span> <bdi>{name}</bdi> <strong>{to}</strong>
        <button
          type="button"
          className="button button-link"
          aria-expanded={cc !== null}
          onClick={() => setCc(cc === null ? '' : null)}
        >
          {cc === null ? 'Add Cc' : 'No Cc'}
        </button>
      </div>
      {cc !== null && (
        <TextField
          label="Cc"
          hint="Email addresses, separated by commas"
          type="text"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          error={error}
          value={cc}
          onChange={event => setCc(event.target.value)}
        />
      )}
    </>
  )
}

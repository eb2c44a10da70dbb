import { isObject } from '../../../content/json.ts'
import { Button } from '../../../ui/button.tsx'
import { useDocumentForm } from '../forms/form-context.ts'
import { addressOf, findPlace } from './pin.ts'

/** Beside the time zone: the postal address is in another state than the zone, or than the state of the holidays. */
export function AddressPlace() {
  const { body, change, mayEdit } = useDocumentForm()
  const { company, state } = body
  const timeZone = isObject(company) ? company.timeZone : null
  const place = mayEdit ? findPlace(addressOf(body), { timeZone, state }) : null
  return (
    <div role="status">
      {place && (
        <>
          <p>
            The postal address is in {place.name}. The {place.differs} not its own.
          </p>
          <p className="line wrap content-editor-actions">
            <Button
              onClick={() => {
                if (place.timeZone) change('company.timeZone', place.timeZone)
                if (place.state) change('state', place.state)
              }}
            >
              {place.offer}
            </Button>
          </p>
        </>
      )}
    </div>
  )
}

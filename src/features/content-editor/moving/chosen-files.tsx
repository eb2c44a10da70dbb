import { useState } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'

/**
 * Files are chosen, then read, and only what was read of the files and answers that are chosen now can be imported.
 * @param read throws why they cannot be read @param failed where that is not said
 */
export function useChosenFiles<Ready>(read: () => Promise<Ready>, failed: string) {
  const [ready, setReady] = useState<Ready | null>(null)
  const [error, setError] = useState<string>()
  const reading = useWrite({
    mutationFn: read,
    onSuccess: setReady,
    onError: failure => setError(failure.message || failed),
  })
  return {
    ready,
    error,
    isReading: reading.isPending,
    read: () => reading.mutate(),
    choose(change: () => void) {
      setReady(null)
      setError(undefined)
      change()
    },
  }
}

interface FileFieldProps {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  /** File extensions and media types, with commas. */
  readonly accept: string
  readonly hasSeveral?: boolean
  readonly isIdle: boolean
  readonly onFiles: (files: readonly File[]) => void
}

export function FileField({ label, hint, error, accept, hasSeveral, isIdle, onFiles }: FileFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {control => (
        <input
          {...control}
          className="control"
          type="file"
          accept={accept}
          multiple={hasSeveral}
          disabled={isIdle}
          onChange={({ target }) => onFiles([...(target.files ?? [])])}
        />
      )}
    </Field>
  )
}

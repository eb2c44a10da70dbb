import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toast/toast.ts'
import { useOpenEditor } from '../forms/form-context.ts'
import { useDuplicate } from '../queries.ts'
import { useSaveFirst } from './editor-session.ts'

const UNSAVED = 'Your last changes could not be saved, so nothing was duplicated.'

/** What is typed is saved first, so that the copy has it too. */
export function DuplicateButton() {
  const { open, session } = useOpenEditor()
  const duplicate = useDuplicate()
  const { isSaving, saveFirst } = useSaveFirst(session.flush)

  function submit(isSaved: boolean) {
    if (isSaved) duplicate.mutate({ id: open.document.id })
    else showToast({ title: 'Not Duplicated', description: UNSAVED, kind: 'error' })
  }

  return (
    <Button kind="quiet" isIdle={isSaving || duplicate.isPending} onClick={() => saveFirst(submit)}>
      Duplicate
    </Button>
  )
}

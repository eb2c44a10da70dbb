import { useState } from 'react'
import type { Picture } from './contract.ts'
import { DropArea } from './drop-area.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import { UploadStatus } from './upload-status.tsx'
import { useUpload } from './use-upload.ts'

interface ChoosePictureProps {
  /** Whether there is one now, which stays until another one is there. */
  readonly hasPicture: boolean
  readonly onChoose: (picture: Picture) => void
  readonly onRemove: () => void
}

/** Uploads a picture or chooses one that is there, replaces it and removes it. */
export function ChoosePicture({ hasPicture, onChoose, onRemove }: ChoosePictureProps) {
  const [isChoosing, setChoosing] = useState(false)
  const upload = useUpload(onChoose)
  return (
    <>
      <DropArea
        label={hasPicture ? 'Replace' : 'Upload a picture'}
        isBusy={upload.isBusy}
        onFile={upload.start}
        className={hasPicture ? '' : 'pictures-empty'}
      >
        <button type="button" className="button" onClick={() => setChoosing(true)}>
          Choose from the library
        </button>
        {hasPicture && (
          <button type="button" className="button button-quiet" onClick={onRemove}>
            Remove
          </button>
        )}
        {!hasPicture && <p className="field-hint">Or drop a file here.</p>}
      </DropArea>
      <UploadStatus upload={upload} />
      {isChoosing && (
        <PictureDialog
          onClose={() => setChoosing(false)}
          onChoose={picture => {
            setChoosing(false)
            upload.cancel()
            onChoose(picture)
          }}
        />
      )}
    </>
  )
}

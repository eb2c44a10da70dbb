import type { Upload, UploadState } from './use-upload.ts'

/** How far an upload is, or why it failed. */
export function UploadStatus({ upload: { state, isBusy, cancel, retry } }: { upload: Upload }) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {state.step === 'failed' ? '' : steps[state.step]}
      </p>
      {isBusy && state.step !== 'failed' && (
        <div className="pictures-progress">
          <Bar state={state} />
          <button
            type="button"
            className="button"
            // It takes the place of the button that starts the upload, so a double click on that one ends here.
            onClick={event => event.detail < 2 && cancel()}
          >
            Cancel upload
          </button>
        </div>
      )}
      {state.step === 'failed' && <Failure reason={state.reason} onRetry={state.bytes && retry} />}
    </>
  )
}

const steps = { idle: '', reading: 'Reading …', sending: 'Uploading …', preparing: 'Preparing …' }

/** While the server makes its sizes, nobody knows how long that takes. */
function Bar({ state }: { state: Exclude<UploadState, { step: 'failed' }> }) {
  const share = state.step === 'sending' ? state.share : undefined
  const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %`
  return (
    <div className="pictures-bar">
      <span aria-hidden="true">
        {steps[state.step]}
        {percent}
      </span>
      <progress aria-label="Upload" value={share} />
    </div>
  )
}

/** @param onRetry null where only another file helps */
function Failure({ reason, onRetry }: { reason: string; onRetry: (() => void) | null }) {
  return (
    <div className="pictures-failure" role="alert">
      <p>
        <strong>Not uploaded.</strong> {reason}
      </p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

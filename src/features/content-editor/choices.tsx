/** One of a few things, as buttons beside each other. */
export function Choices({
  label,
  options,
  chosen,
  onChoose,
}: {
  label: string
  options: readonly string[]
  chosen: string
  onChoose: (option: string) => void
}) {
  return (
    <fieldset className="content-editor-choices">
      <legend className="visually-hidden">{label}</legend>
      {options.map(option => (
        <button
          key={option}
          type="button"
          className="content-editor-choice"
          aria-pressed={option === chosen}
          onClick={() => onChoose(option)}
        >
          {option}
        </button>
      ))}
    </fieldset>
  )
}

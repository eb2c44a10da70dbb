/** Beside what leads to another page. */
export function Arrow() {
  return (
    <svg className="site-arrow" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3 10h13m-5-5 5 5-5 5" />
    </svg>
  )
}

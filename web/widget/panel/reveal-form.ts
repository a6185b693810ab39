/**
 * Scrolls to a form that opens below what the reader sees. As a `ref` it does so once, because it is the same function for
 * every drawing.
 */
export function revealForm(form: HTMLFormElement | null): void {
  form?.scrollIntoView({ block: 'nearest' })
}

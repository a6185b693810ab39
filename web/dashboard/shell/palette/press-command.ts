/** How long a page may take to show its button, such as while it loads. */
const waitMsMax = 8_000

/** Presses the control that a page offers an operation with, as soon as it is there. */
export function pressCommand(operationId: string): void {
  const press = () => {
    const control = document.querySelector<HTMLElement>(`main [data-command="${operationId}"]`)
    if (control === null) return false
    control.scrollIntoView({ block: 'center' })
    control.focus()
    control.click()
    return true
  }
  if (press()) return
  const observer = new MutationObserver(() => press() && observer.disconnect())
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), waitMsMax)
}

/** The actions in the head of the page. */
export function listPageActions(): HTMLElement[] {
  const found = document.querySelectorAll<HTMLElement>('[data-page-head] > :not(:first-child)')
  return [...found]
    .flatMap((part) => [part, ...part.querySelectorAll<HTMLElement>('*')])
    .filter((part) => part.matches('button:not([disabled]):not([aria-disabled]), a[href]'))
}

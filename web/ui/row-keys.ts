/** Rows of tables and lists are marked with `data-row`; the control that selects one with `data-select`. */
function listRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter((row) => row.getClientRects().length > 0)
}

function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-row]') ?? null
}

/** Moves the focus to the next or previous row. @returns False if the page has no rows. */
export function moveToRow(step: 1 | -1): boolean {
  const rows = listRows()
  const current = currentRow()
  const index = current === null ? -1 : rows.indexOf(current)
  const next = rows[index === -1 ? 0 : Math.min(Math.max(index + step, 0), rows.length - 1)]
  if (next === undefined) return false
  const focused = findLink(next) ?? next
  focused.focus()
  next.scrollIntoView({ block: 'nearest' })
  return true
}

/** @returns False if no row has the focus, or the row has no such control. */
export function pressInRow(control: 'open' | 'select' | 'deselect'): boolean {
  const row = currentRow()
  if (control === 'deselect') return press(document.querySelector('main [data-deselect]'))
  if (control === 'select') return press(row?.querySelector('[data-select]'))
  // A focused link or button opens by itself.
  return row !== null && document.activeElement === row && press(findLink(row) ?? row.querySelector('button'))
}

function findLink(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>('[data-row-link], th a[href], a[href]')
}

function press(control: Element | null | undefined): boolean {
  if (!(control instanceof HTMLElement)) return false
  control.click()
  return true
}

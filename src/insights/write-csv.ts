/** Spreadsheets take cells that begin so for formulas, also behind spaces. */
const formulaStart = /^[\s\u00a0\ufeff]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u

/**
 * One row of CSV by RFC 4180, with the line end. Text that a spreadsheet would take for a formula gets an apostrophe in
 * front, because readers write what stands in the cells; numbers stay numbers. Pure.
 */
export function writeCsvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = formulaStart.test(cell) ? `'${cell}` : cell
  return /[",\r\n\t]|^'|^\s|\s$/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

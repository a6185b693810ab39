/** Spreadsheets interpret cells that start like this as formulas, even after whitespace. */
const formulaStart = /^[\s\u00a0\ufeff]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u

/**
 * Writes one row of CSV by RFC 4180, including the line end. Because cells contain readers' text, an apostrophe is put
 * before text that a spreadsheet would interpret as a formula; numbers stay numbers. Pure.
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

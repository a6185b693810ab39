/** Escapes a description for MDX: outside code, it keeps its words but opens no tag and no expression. */
export function escapeMdx(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[{}<]/g, (character) => `\\${character}`)))
    .join('')
}

/** A table in Markdown; line ends in cells become blanks, and bars are escaped, in code too, as tables want it. */
export function writeTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const writeRow = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')).join(' | ')} |`
  return [writeRow(headings), `|${' --- |'.repeat(headings.length)}`, ...rows.map((row) => writeRow(row))].join('\n')
}

/**
 * Replaces a table in a page that is otherwise written by hand.
 *
 * @param firstHeading Heading of its first column, by which it is found.
 * @throws If the page has no such table.
 */
export function fillTable(page: string, firstHeading: string, table: string): string {
  const start = page.indexOf(`| ${firstHeading} |`)
  if (start === -1) throw new Error(`The page has no table with the heading "${firstHeading}". Put one back.`)
  return page.slice(0, start) + page.slice(start).replace(/^(?:\|.*\n)+/, () => `${table}\n`)
}

export interface GeneratedPage {
  title: string
  description: string
  /** The file that the page is made from, told to those who would edit the page. */
  source: string
  blocks: readonly string[]
}

/** A page of the site with its frontmatter and a comment that says where it comes from. */
export function writePage({ title, description, source, blocks }: GeneratedPage): string {
  const frontmatter = `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---`
  const origin = `{/* Made from ${source} by "npm run generate". Edit that, not this. */}`
  return `${[frontmatter, origin, ...blocks].join('\n\n')}\n`
}

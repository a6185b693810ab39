import type { Mention } from './mention.ts'
import { nameKey, normalizeValue } from './name-key.ts'
import { type PageLine, splitCells } from './page-lines.ts'

const name = '[A-Za-z_$-][\\w$.-]*'
const value =
  '(`[^`\\n]{1,80}`|"[^"\\n]{1,80}"|-?\\d[\\d_,]*(?:\\.\\d+)?\\b|true\\b|false\\b|True\\b|False\\b|None\\b|null\\b)'
/** Statements that name both a key and its default. */
const statements: readonly RegExp[] = [
  new RegExp(
    `\`(${name})\`(?:[^\`.\\n]{0,160}?[ (,;:.])?\\(?(?:[Dd]efaults?[ \\t]*(?:to|is|value|value is)?[ \\t]*[:=]?|default is)[ \\t]*\\**[ \\t]*:?[ \\t]*${value}`,
    'g',
  ),
  new RegExp(`[Dd]efault(?: value)? (?:of|for) (?:the )?\`(${name})\` (?:is|=)[ \\t]*${value}`, 'g'),
  new RegExp(
    `(?:<ParamField|<ResponseField|<Param)\\b[^>\\n]{0,200}?\\b(?:name|path|query|body)="(${name})"[^>\\n]{0,200}?\\bdefault=\\{?(${value.slice(1, -1)})`,
    'g',
  ),
  new RegExp(`(?<![\\w-])(--[\\w-]+)(?![\\w-])[^\\n]{0,160}?[[(]default[ \\t]*[:=]?[ \\t]*${value}`, 'g'),
]
/** Statements about the key of the heading, property or list item above. */
const bare = new RegExp(
  `^[-*\\s>]*(?:\\*\\*|_)?[Dd]efaults?(?: value)?(?:\\*\\*|_)?[ \\t]*(?:to|is|:)?(?:\\*\\*|_)?[ \\t]*:?[ \\t]*${value}`,
)
const item = new RegExp(`^[ \\t]*[-*][ \\t]+(?:\\*\\*)?\`(${name})\``)
const headingName = new RegExp(`^\`?(${name})\`?(?:\\(.*\\))?$`)
const property = /\b(?:name|path|query|body)=["'](\w[\w.-]*)["']/

/** Default values that a page states. Pure; linear. */
export function readClaims(lines: readonly PageLine[]): Mention[] {
  const claims: Mention[] = []
  let above = ''
  let heading = ''
  for (const line of lines) {
    if (line.fence > 0) continue
    if (line.heading !== heading) above = headingName.exec((heading = line.heading).trim())?.[1] ?? ''
    above = (item.exec(line.text) ?? property.exec(line.text))?.[1] ?? above
    for (const [key, written] of line.place === 'table' ? readRow(line) : readStatements(line.text, above)) {
      const claim = toClaim(line, key, written)
      if (claim !== null) claims.push(claim)
    }
  }
  return claims
}

function readStatements(text: string, above: string): [string, string][] {
  if (!/default/i.test(text)) return []
  const found = statements.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, key = '', written = '']): [string, string] => [key, written]),
  )
  const alone = bare.exec(text)?.[1]
  return found.length === 0 && alone !== undefined && above !== '' ? [[above, alone]] : found
}

/** A row of a table with a column of defaults. */
function readRow({ text, head }: PageLine): [string, string][] {
  const column = head?.findIndex((cell) => /^[*_` ]*default(?: value)?s?[*_` ]*$/i.test(cell)) ?? -1
  if (column < 1) return []
  const cells = splitCells(text)
  const key = new RegExp(`^[*]*\`?(${name})\`?[*?]*`).exec(cells[0] ?? '')?.[1]
  return key === undefined ? [] : [[key, cells[column] ?? '']]
}

function toClaim({ line, place }: PageLine, written: string, stated: string): Mention | null {
  const text = stated.trim().replace(/^`(.*)`$/, '$1')
  const known = normalizeValue(text) ?? (/^[\w./:@-]{1,60}$/.test(text) ? text.toLowerCase() : null)
  const key = nameKey(written.split('.').at(-1) ?? written)
  if (known === null || key === '') return null
  const base = { form: 'claim' as const, key, name: written, owner: '', value: known, line }
  return { ...base, place: place === 'prose' ? 'inline' : place, source: '', isName: true }
}

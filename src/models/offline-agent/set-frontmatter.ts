import { type Document, isMap, isScalar, parseDocument, Scalar, stringify, type YAMLMap } from 'yaml'
import type { AgentProgram } from './agent-program.ts'
import { editPages } from './edit-pages.ts'
import { callOne, describeMissing, findPage, readFile, refuseProgram } from './find-page.ts'
import { listHeadings, refuse, type TextEdit } from './markdown-edits.ts'

interface FieldChange {
  pages: readonly string[]
  field: string
  value: string
}

/** Sets a frontmatter field of pages. */
export function* setFrontmatter({ pages, field: name, value }: FieldChange): AgentProgram {
  const done: string[] = []
  const notDone: string[] = []
  for (const page of pages) {
    const path = yield* findPage(page)
    const text = path === null ? null : yield* readFile(path)
    if (path === null || text === null) {
      notDone.push(describeMissing(page))
      continue
    }
    const after = setField(text, name, value)
    if (after === null || after === text) {
      notDone.push(`${path} has that ${name} already, or frontmatter that cannot be read.`)
      continue
    }
    const written = yield* callOne('write', { path, content: after })
    if (written.isOk) done.push(path)
    else notDone.push(written.message)
  }
  if (done.length === 0) return refuseProgram(notDone.join(' '))
  return {
    title: `Set ${name} of ${done.length === 1 ? (done[0] ?? '') : `${done.length} pages`}`,
    summary: `Set the frontmatter field ${name} of ${done.join(', ')} to “${value}”, as asked.`,
    ...(notDone.length > 0 && { notDone: notDone.join(' ') }),
  }
}

/** Changes the title of a page where it stands: in its frontmatter, in its first heading, or in both. */
export function retitlePage(page: string, title: string): AgentProgram {
  return editPages({
    place: { pages: [page] },
    words: '',
    edit: (text) => retitle(text, title),
    title: `Rename the page “${page}”`,
    done: `Changed the title to “${title}” on`,
  })
}

function retitle(text: string, title: string): TextEdit {
  const lines = text.split('\n')
  const heading = listHeadings(lines).find(({ level }) => level === 1)
  const titled = heading === undefined ? text : lines.with(heading.line, `# ${title}`).join('\n')
  const hasField = /^---[ \t]*\r?\n(?:(?!---)[^\n]*\n)*?title[ \t]*:/.test(text)
  const edited = hasField || heading === undefined ? setField(titled, 'title', title) : titled
  return edited === null ? refuse('Its frontmatter cannot be read.') : { isOk: true, text: edited }
}

/** @returns Null if the frontmatter is not a YAML mapping. Other lines are unchanged. */
export function setField(text: string, name: string, value: string): string | null {
  const match = /^---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?=\r?\n|$)/.exec(text)
  const yaml = match?.[1] ?? ''
  const document = parseDocument(yaml)
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return null
  const written = placeField(yaml, document.contents, { name, value }) ?? writeField(document, { name, value })
  const block = `---\n${written}\n---`
  return match === null ? `${block}\n\n${text}` : block + text.slice(match[0].length)
}

interface Field {
  name: string
  value: string
}

/** @returns Null if the value that is there takes more than a line, or is more than a value. */
function placeField(yaml: string, map: YAMLMap | null, { name, value }: Field): string | null {
  if (map?.flow === true) return null
  const scalar = new Scalar(parseScalar(value))
  const write = () => stringify(scalar, { lineWidth: 0 }).trimEnd()
  const pair = map?.items.find(({ key }) => isScalar(key) && key.value === name)
  if (pair === undefined) return `${yaml.trimEnd()}\n${stringify(name).trimEnd()}: ${write()}`.trimStart()
  const { value: known } = pair
  if (!isScalar(known) || !known.range || known.anchor !== undefined || known.tag !== undefined) return null
  if (known.type === Scalar.BLOCK_FOLDED || known.type === Scalar.BLOCK_LITERAL) return null
  const [start, end] = known.range
  if (known.type !== undefined) scalar.type = known.type
  // Around a value that is empty so far, the spaces are missing.
  const [before, after] = [yaml[start - 1] === ':' ? ' ' : '', yaml[end] === '#' ? ' ' : '']
  return `${yaml.slice(0, start)}${before}${write()}${after}${yaml.slice(end)}`.trimEnd()
}

function writeField(document: Document, { name, value }: Field): string {
  document.set(name, parseScalar(value))
  return document.toString({ lineWidth: 0 }).trimEnd()
}

/** `true`, `false` and numbers keep their type; everything else is text. */
function parseScalar(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^-?\d{1,15}$/.test(value) ? Number(value) : value
}

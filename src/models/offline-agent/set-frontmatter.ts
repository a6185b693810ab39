import { isMap, parseDocument } from 'yaml'
import type { AgentProgram } from './agent-program.ts'
import { callOne, findPage, refuseProgram, readFile } from './find-page.ts'
import {
  instructionPattern,
  type InstructionWords,
  pageList,
  quotedWord,
  readPageList,
  textWord,
  valueOf,
} from './instruction-words.ts'

interface FieldChange {
  pages: readonly string[]
  field: string
  value: string
}

/** Recognized as fields without the word "field". */
const knownFields =
  'title|sidebarTitle|description|icon|tag|keywords|hidden|noindex|searchable|public|deprecated|boost|mode|slug|url|version|groups|sidebar_label|sidebar_position'
const field = `(?:(?:frontmatter )?field (⟦\\d+⟧|[\\p{L}][\\w-]*)|frontmatter ([\\p{L}][\\w-]*)|⟦\\d+⟧|(${knownFields}))`
const of = '(?:of|in|on|for|to) (?:the )?(?:frontmatter of (?:the )?)?(?:pages? |files? )?'

const patterns = [
  instructionPattern(
    `(?:set|change|update) (?:the )?(?<field>${field}) ${of}(?<pages>${pageList}) to (?<value>${textWord})`,
  ),
  instructionPattern(
    `(?:add|set|put) (?:the |an? )?(?<field>${field})(?: ?[:=]| with the value| with value| to| as)? (?<value>${quotedWord}|true|false|\\d+) ${of}(?<pages>${pageList})`,
  ),
  instructionPattern(
    `give (?:the )?(?:pages? )?(?<pages>${pageList}) (?:the |an? )?(?<field>${field}) (?<value>${textWord})`,
  ),
]

/** `Set the description of page guides/install to "…"`, and similar. */
export function readSetFrontmatter(words: InstructionWords): AgentProgram | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(words.text)?.groups
    if (groups === undefined) continue
    const { field: name = '', pages = '', value = '' } = groups
    const bare = valueOf(words, name.replace(/^(?:frontmatter )?(?:field )?/i, ''))
    if (!/^[\p{L}][\w-]*$/u.test(bare)) return null
    return setFrontmatter({ pages: readPageList(words, pages), field: bare, value: valueOf(words, value) })
  }
  return null
}

function* setFrontmatter({ pages, field: name, value }: FieldChange): AgentProgram {
  const done: string[] = []
  const notDone: string[] = []
  for (const page of pages) {
    const path = yield* findPage(page)
    const text = path === null ? null : yield* readFile(path)
    if (path === null || text === null) {
      notDone.push(`There is no page “${page}”, or several have that name.`)
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

/** @returns Null if the frontmatter is not a YAML mapping. Other lines are unchanged. */
export function setField(text: string, name: string, value: string): string | null {
  const match = /^---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?=\r?\n|$)/.exec(text)
  const yaml = match?.[1] ?? ''
  const document = parseDocument(yaml)
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return null
  document.set(name, parseScalar(value))
  const written = document.toString({ lineWidth: 0 }).trimEnd()
  const block = `---\n${written}\n---`
  return match === null ? `${block}\n\n${text}` : block + text.slice(match[0].length)
}

/** `true`, `false` and numbers keep their type; everything else is text. */
function parseScalar(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^-?\d{1,15}$/.test(value) ? Number(value) : value
}

import { type ParsedNode, parseDocument, visit } from 'yaml'
import { toYamlValue } from '../../base/yaml-value.ts'
import { z } from 'zod'
import { cutText } from '../trees/clean-text.ts'
import type { FindingList } from '../finding-list.ts'
import { isRecord, parseTolerantly } from '../site-config/parse-tolerantly.ts'

const frontmatterCharsMax = 64 * 1024
/** Far more than frontmatter needs. YAML aliases can make a small file expand to gigabytes. */
const aliasesMax = 20

/** YAML parses `title: 2024` and `version: 1.0` as numbers; both fields are text. */
const words = z
  .union([z.string(), z.number(), z.boolean()], { error: 'expected a text' })
  .transform((value) => cutText(String(value).replace(/\s+/g, ' ').trim(), 2000))
const flag = z.union([z.boolean(), z.stringbool()], { error: 'expected true or false' })
const wordList = z
  .union([z.array(words), words.transform((list) => list.split(',').map((word) => word.trim()))], {
    error: 'expected a list of strings',
  })
  .transform((list) => list.filter((word) => word !== '').slice(0, 100))

const frontmatterSchema = z.object({
  title: words.optional(),
  sidebarTitle: words.optional(),
  description: words.optional(),
  tag: words.optional(),
  version: words.optional(),
  keywords: wordList.optional(),
  groups: wordList.optional(),
  hidden: flag.optional(),
  noindex: flag.optional(),
  searchable: flag.optional(),
  public: flag.optional(),
  deprecated: flag.optional(),
  boost: z.number({ error: 'expected a number' }).positive().max(1000).optional(),
  url: words.optional(),
  api: words.optional(),
  openapi: words.optional(),
  'openapi-schema': words.optional(),
  asyncapi: words.optional(),
})

export type Frontmatter = z.output<typeof frontmatterSchema>

export interface SplitSource {
  /** YAML between the fences; null if the file does not start with any. */
  yaml: string | null
  body: string
  /** Lines before the body, for converting its line numbers to the file's. */
  bodyLine: number
}

/** Separates the frontmatter from the body. Without a closing `---` the whole file is body. */
export function splitFrontmatter(source: string): SplitSource {
  const match = /^---[ \t]*\n((?:[^\n]*\n)*?)---[ \t]*(?:\n|$)/.exec(source)
  if (match === null) return { yaml: null, body: source, bodyLine: 0 }
  return {
    yaml: (match[1] ?? '').replace(/\n$/, ''),
    body: source.slice(match[0].length),
    bodyLine: match[0].split('\n').length - (match[0].endsWith('\n') ? 1 : 0),
  }
}

/** Picks the fields that all formats share. */
export function toFrontmatter(
  fields: Readonly<Record<string, unknown>>,
  { yaml, file, findings }: { yaml: string; file: string; findings: FindingList },
): Frontmatter {
  return parseTolerantly(frontmatterSchema, fields, (key, problem) => {
    const line = lineOfKey(yaml, key)
    const message = `The frontmatter field ${key} is ignored: ${problem}.`
    findings.add({ file, line, rule: 'frontmatter-field-invalid', message })
  })
}

/** Reads fields given in place of frontmatter, such as the metadata of an API operation. */
export function readMetadata(
  value: Readonly<Record<string, unknown>>,
  file: string,
  findings: FindingList,
): Frontmatter {
  return parseTolerantly(frontmatterSchema, value, (key, problem) => {
    const message = `The metadata field ${key} is ignored: ${problem}.`
    findings.add({ file, line: null, rule: 'frontmatter-field-invalid', message })
  })
}

/** Returns all fields as YAML parses them; empty, with a finding, if that fails. */
export function readFrontmatterFields(
  yaml: string,
  file: string,
  findings: FindingList,
): Readonly<Record<string, unknown>> {
  const report = (line: number | null, message: string) => {
    findings.add({ file, line, rule: 'frontmatter-invalid', message })
  }
  if (yaml.length > frontmatterCharsMax) {
    report(1, `The frontmatter is longer than ${frontmatterCharsMax} characters and is ignored. Shorten it.`)
    return {}
  }
  try {
    const document = parseDocument(yaml, { prettyErrors: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error !== undefined) {
      const line = yaml.slice(0, error.pos[0]).split('\n').length + 1
      report(line, `The frontmatter is not valid YAML: ${firstLine(error.message)} Quote values that contain a colon.`)
    }
    if (countAliases(document.contents) > aliasesMax) {
      report(2, `The frontmatter has more than ${aliasesMax} YAML aliases and is ignored. Write the values out.`)
      return {}
    }
    const value = toYamlValue(document, aliasesMax)
    if (isRecord(value)) return value
    if (value !== null && value !== undefined) report(2, 'The frontmatter is not a list of `key: value` lines.')
  } catch (error) {
    report(2, `The frontmatter cannot be read: ${firstLine(error instanceof Error ? error.message : String(error))}`)
  }
  return {}
}

function countAliases(contents: ParsedNode | null): number {
  let count = 0
  if (contents === null) return 0
  visit(contents, {
    Alias: () => {
      count++
    },
  })
  return count
}

function firstLine(message: string): string {
  const line = message.split('\n')[0] ?? ''
  return /[.!?]$/.test(line) ? line : `${line}.`
}

function lineOfKey(yaml: string, key: string): number | null {
  const index = yaml.split('\n').findIndex((line) => line.startsWith(`${key}:`))
  return index === -1 ? null : index + 2
}

import { parseDocument, visit } from 'yaml'
import type { PageCode } from '../formats/write-rules.ts'
import { parseMarkdown } from '../markdown/parse-markdown.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'
import type { CodeItem } from './code-item.ts'
import { listHtmlCode } from './html-code.ts'
import { listMarkdownCode, listMdxCode } from './mdx-code.ts'

/**
 * Lists what on a page is executed, fetched or expanded where the page is built or read. Runs none of it.
 *
 * @param text The whole file, with `\n` at the end of lines.
 * @throws {MarkdownSyntaxError} if it is MDX that cannot be parsed.
 */
export function listPageCode(text: string, code: PageCode): CodeItem[] {
  const [head = '', yaml = ''] = frontmatter.exec(text) ?? []
  const offset = head.split('\n').length - 1
  const body = text.slice(head.length)
  const items = [...listBodyCode(body, code), ...listIncludes(body, code)].map((item) => ({
    ...item,
    line: item.line === null ? null : item.line + offset,
  }))
  return [...listFrontmatterCode(text, yaml), ...items]
}

const frontmatter = /^\uFEFF?---[ \t]*\n((?:[^\n]*\n)*?)---[ \t]*(?:\n|$)/

function listBodyCode(body: string, code: PageCode): CodeItem[] {
  if (code === 'mdx') return listMdxCode(escapeHeadingIds(body))
  const prose = blankCode(body)
  const items = [...listHtmlCode(prose, { isVue: code === 'vue' }), ...listMarkdownCode(body)]
  if (code === 'vue') items.push(...matchLines(prose, /\{\{[^\n]*/g, 'template'))
  else items.push(...matchLines(prose, /\{:?[^{}\n]*\bon[a-z]+\s*=[^}\n]*\}/gi, 'attribute'))
  if (code === 'templates') items.push(...matchLines(body, /\{[{%#][^\n]*/g, 'template'))
  return items
}

/** Formats take `## Title {#id}` out before MDX sees it. */
function escapeHeadingIds(body: string): string {
  return body.replace(/^([ \t]*#{1,6}[ \t][^\n]*)\{(#[\w.:-]+)\}[ \t]*$/gm, String.raw`$1\{$2\}`)
}

/**
 * Blanks fenced code and code spans. Indented code stays, because processors disagree on what it is.
 *
 * Follows the parser instead of a pattern: a span that a pattern sees may be text, if an earlier one swallowed its mark.
 */
function blankCode(body: string): string {
  const parts: string[] = []
  let end = 0
  for (const { from, to } of listCode(body)) {
    parts.push(body.slice(end, from), body.slice(from, to).replace(/[^\n]/g, ' '))
    end = to
  }
  return [...parts, body.slice(end)].join('')
}

function listCode(body: string): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  const queue = [...parseMarkdown(body, 'markdown').children]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const from = node.position?.start.offset ?? 0
    const to = node.position?.end.offset ?? 0
    if (node.type === 'inlineCode' || (node.type === 'code' && /^(?:`{3}|~{3})/.test(body.slice(from, from + 3)))) {
      ranges.push({ from, to })
    }
    if ('children' in node) queue.push(...node.children)
  }
  return ranges.sort((a, b) => a.from - b.from)
}

function matchLines(text: string, pattern: RegExp, kind: CodeItem['kind']): CodeItem[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    kind,
    text: found.trim(),
    line: text.slice(0, index).split('\n').length,
  }))
}

const includes: Readonly<Record<PageCode, RegExp | null>> = {
  mdx: /<include\b[^>]{0,500}>([^<\n]{0,500})/g,
  vue: /<!--\s*@include:\s*([^\n]{1,500}?)-->|^[ \t]*<<<[ \t]*([^\n]{1,500})/gm,
  templates: /-{1,}8<-{1,}\s*"([^"\n]{1,500})"|\{![ \t]*([^\n]{1,500}?)!\}/g,
  html: /-{1,}8<-{1,}\s*"([^"\n]{1,500})"|\{![ \t]*([^\n]{1,500}?)!\}/g,
}
/** Leaves its folder, is hidden, absolute, or an address. */
const distantPath = /(?:^|[\\/])\.[^./\\]|\.\.(?:[\\/]|$)|^[\\/~]|:\/\/|^[a-z]:/i

/** Files that a page reads, where they could be other than documentation. */
function listIncludes(body: string, code: PageCode): CodeItem[] {
  const pattern = includes[code]
  if (pattern === null) return []
  return [...body.matchAll(pattern)].flatMap(({ 1: first, 2: second, index }) => {
    const path = (first ?? second ?? '').trim()
    const line = body.slice(0, index).split('\n').length
    return distantPath.test(path) ? [{ kind: 'include' as const, text: path, line }] : []
  })
}

/** Fields that formats turn into markup, or that choose what renders the page. */
const codeFields = new Set([
  'head',
  'layout',
  'banner',
  'mdx',
  'template',
  'component',
  'components',
  'script',
  'scripts',
])

function listFrontmatterCode(text: string, yaml: string): CodeItem[] {
  // Some formats evaluate frontmatter in the language that is named here.
  const [language] = /^\uFEFF?---[ \t]*[^\s-][^\n]*/.exec(text) ?? []
  if (language !== undefined) return [{ kind: 'frontmatter', text: language, line: 1 }]
  return yaml === '' ? [] : listYamlCode(yaml, codeFields).map((item) => ({ ...item, kind: 'frontmatter', line: 1 }))
}

/** @returns Tags that are not part of YAML's core schema, which can call functions, and the named fields. */
export function listYamlCode(yaml: string, fields: ReadonlySet<string>): CodeItem[] {
  const items: CodeItem[] = []
  const document = parseDocument(yaml, { logLevel: 'silent', prettyErrors: false })
  visit(document, {
    Node: (_key, { tag }) => {
      if (tag !== undefined && !/^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq|timestamp)$/.test(tag))
        items.push({ kind: 'frontmatter', text: tag, line: null })
    },
  })
  const value: unknown = document.errors.length > 0 ? null : document.toJS({ maxAliasCount: 20 })
  for (const [key, field] of isRecord(value) ? Object.entries(value) : []) {
    const isName = typeof field === 'string' && /^[\w-]{1,100}$/.test(field)
    if (fields.has(key) && !isName)
      items.push({ kind: 'frontmatter', text: `${key}: ${JSON.stringify(field)}`, line: null })
  }
  return items
}

import { parse } from 'acorn'
import type { Program } from 'estree-jsx'
import { writeLiteral } from '../../flatten/write-literal.ts'
import { createFenceTracker } from '../../markdown/code-fence.ts'
import { replaceOutsideSpans } from '../../markdown/code-spans.ts'
import { type LiteralValue, readLiteral, showLiteral } from '../../markdown/literal-value.ts'
import { parseLiteralAt } from '../../markdown/parse-literal.ts'

type Values = ReadonlyMap<string, LiteralValue>

const script = /<script\b[^<>]{0,200}\bsetup\b[^<>]{0,200}>([\s\S]{0,50000}?)<\/script>/g
const mustache = /\{\{(\s*'[^'\n]{1,500}'\s*|\s*"[^"\n]{1,500}"\s*|[^{}\n]{1,500})\}\}/g
/** An element that repeats itself, on one line or several. */
const loop =
  /<(\w[\w-]{0,50})([^<>]{0,500}?)\sv-for="\(?\s*([\w$]{1,50})\s*(?:,\s*([\w$]{1,50})\s*)?\)?\s+(?:in|of)\s+([^"\n]{1,2000})"([^<>]{0,500})>([\s\S]{0,5000}?)<\/\1>/g
/** A component alone on its lines, with properties that Vue computes. */
const component = /^<([A-Z]\w{0,100})\s((?:"[^"]{0,5000}"|'[^']{0,5000}'|[^"'<>]){0,5000})\/?>[ \t]*$/gm
const bound = /(?:^|\s)(?::|v-bind:)([\w-]{1,100})=(?:"([^"]{1,5000})"|'([^']{1,5000})')/g
/** What the templates of one page may add. */
const addedCharsMax = 200_000

/**
 * Replaces `{{ … }}` by its value where that is literal: a field of the frontmatter or a constant of `<script setup>`;
 * repeats elements with `v-for`; and writes the words that properties of components contain below them. Leaves the rest,
 * and code. Pure.
 */
export function fillVueTemplates(body: string, fields: Readonly<Record<string, unknown>>): string {
  if (!/\{\{|\s(?::|v-bind:)[\w-]+=/.test(body)) return body
  const values = new Map([
    ...readScripts(body),
    ...['$frontmatter', 'frontmatter'].map((name) => [name, toLiteral(fields)] as const),
  ])
  const budget = { charsLeft: addedCharsMax }
  const fill = (text: string) =>
    fillMustaches(writeProperties(repeatElements(text, values, budget), values, budget), values, budget)
  return mapProseRuns(body, fill)
}

/** Rewrites prose, except fenced code and what Vue leaves alone. */
function mapProseRuns(body: string, rewrite: (text: string) => string): string {
  const isCode = createFenceTracker()
  const isRaw = createRawTracker()
  const runs: { isLeft: boolean; lines: string[] }[] = []
  for (const line of body.split('\n')) {
    const isLeft = isCode(line) || isRaw(line)
    if (runs.at(-1)?.isLeft !== isLeft) runs.push({ isLeft, lines: [] })
    runs.at(-1)?.lines.push(line)
  }
  return runs.map(({ isLeft, lines }) => (isLeft ? lines.join('\n') : rewrite(lines.join('\n')))).join('\n')
}

/** Whether a line has `v-pre`, or is within a container or element that has it. Call it for every line of prose. */
function createRawTracker(): (line: string) => boolean {
  let closing: string | null = null
  return (line) => {
    if (closing !== null) {
      if (closing === ':::' ? line.trim() === closing : line.includes(closing)) closing = null
      return true
    }
    if (!/\bv-pre\b/.test(line)) return false
    const [, container, tag] = /^\s*(?:(:::)\s*v-pre\b|<(\w[\w-]{0,100})\s[^<>]{0,500}?\bv-pre\b)/.exec(line) ?? []
    const end = container ?? (tag === undefined ? null : `</${tag}`)
    if (end !== null && (end === container || !line.includes(end))) closing = end
    return true
  }
}

function readScripts(body: string): Map<string, LiteralValue> {
  const values = new Map<string, LiteralValue>()
  for (const [, code = ''] of body.matchAll(script)) {
    for (const statement of parseProgram(code)?.body ?? []) {
      if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const') continue
      for (const { id, init } of statement.declarations) {
        const value = readLiteral(init ?? undefined, values)
        if (id.type === 'Identifier' && value !== undefined) values.set(id.name, value)
      }
    }
  }
  return values
}

function parseProgram(code: string): Program | null {
  try {
    // Acorn's nodes are ESTree's, but its types are declared apart.
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as Program
  } catch {
    return null
  }
}

function evaluate(code: string, values: Values): LiteralValue | undefined {
  const { value, end } = parseLiteralAt(code, 0, values)
  return code.slice(end).trim() === '' ? value : undefined
}

function toLiteral(value: unknown, depth = 0): LiteralValue {
  if (Array.isArray(value)) return depth > 10 ? [] : value.map((item) => toLiteral(item, depth + 1))
  if (typeof value === 'object' && value !== null && depth <= 10) {
    return new Map(Object.entries(value).map(([name, inner]) => [name, toLiteral(inner, depth + 1)]))
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

interface Budget {
  charsLeft: number
}

function charge(budget: Budget, written: string, added: string): string {
  budget.charsLeft -= added.length
  return budget.charsLeft < 0 ? written : added
}

function fillMustaches(text: string, values: Values, budget: Budget): string {
  return replaceOutsideSpans(text, mustache, ([written, code = '']) => {
    const value = evaluate(code, values)
    return value === undefined ? written : charge(budget, written, showLiteral(value))
  })
}

function repeatElements(text: string, values: Values, budget: Budget): string {
  return replaceOutsideSpans(text, loop, (match) => {
    const [written, tag = '', before = '', item = '', index, list = '', after = '', inner = ''] = match
    const items = evaluate(list, values)
    // An element within one of its name would end it.
    if (!Array.isArray(items) || new RegExp(`<${tag}(?![\\w-])`).test(inner)) return written
    const rounds = items.map((value, round) => {
      const own = new Map([
        ...values,
        [item, value] as const,
        ...(index === undefined ? [] : [[index, round] as const]),
      ])
      return `<${tag}${before}${after}>${fillMustaches(inner, own, budget)}</${tag}>`
    })
    return charge(budget, written, rounds.join('\n'))
  })
}

function writeProperties(text: string, values: Values, budget: Budget): string {
  return text.replace(component, (written, _name: string, attributes: string) => {
    const shown = [...attributes.matchAll(bound)].flatMap(([, name = '', double, single]) => {
      const value = evaluate(double ?? single ?? '', values)
      return typeof value === 'object' && value !== null
        ? [writeLiteral(name, value, (url, label) => `[${label}](${url})`)]
        : []
    })
    const words = shown.filter((part) => part !== '').join('\n\n')
    return words === '' ? written : charge(budget, written, `${written}\n\n${words}\n`)
  })
}

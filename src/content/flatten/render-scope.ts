import type { FindingList } from '../finding-list.ts'
import { type LiteralValue, measureLiteral } from '../markdown/literal-value.ts'
import type { PageDialect } from './page-dialect.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'

/** Limits for rendering one page, shared by its snippets. */
export interface RenderBudget {
  charsLeft: number
  snippetsLeft: number
}

export interface ListedTitle {
  /** What the child's own `value` says. */
  value: string
  title: string
}

/** The context of the node being rendered. */
export interface RenderScope {
  source: ParsedSource
  /** The page being rendered; links in its snippets resolve as its own. */
  page: { file: string; path: string }
  /** Values of names: constants and snippet attributes. */
  values: ReadonlyMap<string, LiteralValue>
  /** Attributes of a snippet, which also replace `{name}` in code. */
  properties: ReadonlyMap<string, LiteralValue>
  /** Rendered content of the snippet element. */
  children: string | null
  /** Snippets by path; a component imported from one is replaced by its content. */
  library: ReadonlyMap<string, ParsedSource>
  dialect: PageDialect
  /** Titles that the parent element gives its children in order, as `<Tabs items={[…]}>` does. */
  siblingTitles: readonly ListedTitle[]
  /** Snippet files being rendered, outermost first. */
  stack: readonly string[]
  depth: number
  budget: RenderBudget
  findings: FindingList
}

/** Most text that constants and snippets may add to one page. */
const filledCharsMax = 2 * 1024 * 1024
const snippetsMax = 1000

export function createBudget(): RenderBudget {
  return { charsLeft: filledCharsMax, snippetsLeft: snippetsMax }
}

/**
 * Charges substituted text to the page's budget, because a snippet of ten lines can expand to gigabytes. Once the
 * budget is spent, substitutions are empty.
 */
export function chargeBudget(text: string, scope: RenderScope): string {
  scope.budget.charsLeft -= text.length
  if (scope.budget.charsLeft >= 0) return text
  const message =
    'The page becomes too long when its snippets and constants are expanded; the rest is omitted. Split it.'
  scope.findings.add({ file: scope.page.file, line: null, rule: 'page-too-large', message })
  return ''
}

/** Charges a value before it is written; null once the budget is spent. */
export function chargeLiteral(value: LiteralValue, scope: RenderScope): LiteralValue | null {
  const weight = measureLiteral(value, Math.max(0, scope.budget.charsLeft) + 1)
  scope.budget.charsLeft -= weight
  if (scope.budget.charsLeft >= 0) return value
  chargeBudget('', scope)
  return null
}

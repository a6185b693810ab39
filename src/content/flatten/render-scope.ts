import type { FindingList } from '../finding-list.ts'
import type { LiteralValue } from '../markdown/literal-value.ts'
import type { PageDialect } from './page-dialect.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'

/** Limits for rendering one page, shared by its snippets. */
export interface RenderBudget {
  charsLeft: number
  snippetsLeft: number
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
  siblingTitles: readonly string[]
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
export function spendBudget(text: string, scope: RenderScope): string {
  scope.budget.charsLeft -= text.length
  if (scope.budget.charsLeft >= 0) return text
  const message =
    'The page becomes too long when its snippets and constants are expanded; the rest is omitted. Split it.'
  scope.findings.add({ file: scope.page.file, line: null, rule: 'page-too-large', message })
  return ''
}

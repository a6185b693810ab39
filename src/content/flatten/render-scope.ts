import type { FindingList } from '../finding-list.ts'
import type { LiteralValue } from '../markdown/literal-value.ts'
import type { PageDialect } from './page-dialect.ts'
import type { ParsedSource } from '../markdown/parse-source.ts'

/** What rendering one page may still spend, shared by its snippets. */
export interface RenderBudget {
  charsLeft: number
  snippetsLeft: number
}

/** The context of the node being rendered. */
export interface RenderScope {
  source: ParsedSource
  /** The page that is made; links of its snippets are its own. */
  page: { file: string; path: string }
  /** What names stand for: constants, and the attributes that a snippet was given. */
  values: ReadonlyMap<string, LiteralValue>
  /** Attributes of a snippet, which also fill `{name}` inside code. */
  properties: ReadonlyMap<string, LiteralValue>
  /** Rendered content between the tags of a snippet. */
  children: string | null
  /** Files by path; a component that comes from one of them is replaced by its content. */
  library: ReadonlyMap<string, ParsedSource>
  dialect: PageDialect
  /** Titles that the element around gives its children in order, as `<Tabs items={[…]}>` does. */
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
 * Charges substituted text to the page's budget: without one, a snippet of ten lines can expand into gigabytes. Once
 * the budget is spent, nothing more is substituted.
 */
export function spendBudget(text: string, scope: RenderScope): string {
  scope.budget.charsLeft -= text.length
  if (scope.budget.charsLeft >= 0) return text
  const message =
    'The page grows too long once its snippets and constants are filled in; the rest is left out. Split it.'
  scope.findings.add({ file: scope.page.file, line: null, rule: 'page-too-large', message })
  return ''
}

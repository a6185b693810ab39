import { createFenceTracker } from '../markdown/code-fence.ts'
import type { CodeItem } from './code-item.ts'
import { isHarmfulAddress } from './harmful-address.ts'

/** Between dollars, on one line or in a block of its own. */
const formula = /\$\$[^$]{1,5000}\$\$|\$[^$\n]{1,2000}\$/g
/** What no formula is made of: calls and members of names, functions, strings, spreads, tags. Commands begin with a backslash. */
const code =
  /(?<![\\\w])[A-Za-z_]\w+\s*(?:\?\.\s*)?\(|\(\s*[A-Za-z_]\w+\s*\)\s*\(|[A-Za-z_]\w+\??\.[A-Za-z_]\w+|\\u(?:[\da-f]{4}|\{[\da-f]+\})|=>|["`]|\bnew\s|\{\s*\.\.\.|<[A-Za-z][\w-]+[^<>\n]{0,500}>/i
const comment = /\/\*[^*]{0,500}\*\//g

/**
 * Lists formulas that would be code where the site turned out not to read formulas: their braces are otherwise not looked
 * at. Linear time.
 */
export function listFormulaCode(text: string): CodeItem[] {
  const isCode = createFenceTracker()
  const prose = text
    .split('\n')
    .map((line) => (isCode(line) ? '' : line))
    .join('\n')
  const found = [...prose.matchAll(formula)].flatMap(({ 0: written, index }) =>
    /[{<]/.test(written) && code.test(written.replace(comment, ' '))
      ? [{ kind: 'expression' as const, text: written, line: prose.slice(0, index).split('\n').length }]
      : [],
  )
  return [...found, ...listFormulaLinks(prose)]
}

/**
 * Of formulas: links, and attributes of HTML. Which of them a site allows is up to its settings.
 *
 * @see https://katex.org/docs/options, `trust`
 */
export function listFormulaLinks(text: string): CodeItem[] {
  const commands = /\\(href|url|includegraphics|html(?:Class|Id|Style|Data))\s*\{([^{}]{0,500})/g
  return [...text.matchAll(commands)].flatMap(({ 0: written, 1: name = '', 2: value = '', index }) =>
    name.startsWith('html') || isHarmfulAddress(value)
      ? [{ kind: 'address' as const, text: written, line: text.slice(0, index).split('\n').length }]
      : [],
  )
}

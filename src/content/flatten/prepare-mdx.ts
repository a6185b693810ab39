import { createFenceTracker } from '../markdown/code-fence.ts'

/**
 * Rewrites syntax that the documentation format allows but MDX does not: `{{variables}}`, `## Title {#id}`, and
 * formulas, whose braces MDX would parse as code. Preserves line numbers. Pure.
 *
 * @param variables Site variables; unknown names stay as written.
 */
export function prepareMdx(source: string, variables: ReadonlyMap<string, string>): string {
  const substituted = variables.size === 0 ? source : substituteVariables(source, variables)
  if (!/\{#|\$/.test(substituted)) return substituted
  return prepareLines(substituted.split('\n')).join('\n')
}

/** Most text that variables may add to one page; further names stay as written. */
const filledCharsMax = 1024 * 1024

/**
 * Substitutes `{{name}}` everywhere, including in code. Newlines in a value become spaces, to preserve line numbers.
 */
export function substituteVariables(source: string, variables: ReadonlyMap<string, string>): string {
  let charsLeft = filledCharsMax
  return source.replace(/\{\{[ \t]*([\w.-]{1,100})[ \t]*\}\}/g, (written, name: string) => {
    const value = variables.get(name)
    charsLeft -= value?.length ?? 0
    return value === undefined || charsLeft < 0 ? written : value.replaceAll('\n', ' ')
  })
}

const formulaFence = /^([ \t]*)\$\$[ \t]*$/

function prepareLines(lines: readonly string[]): string[] {
  const isCode = createFenceTracker()
  let isFormula = false
  return lines.map((line, index) => {
    if (isFormula) {
      if (!formulaFence.test(line)) return line
      isFormula = false
      return line.replace('$$', () => '```')
    }
    if (isCode(line)) return line
    if (formulaFence.test(line) && lines.slice(index + 1, index + 200).some((later) => formulaFence.test(later))) {
      isFormula = true
      return line.replace('$$', () => '```math')
    }
    return escapeFormulas(escapeHeadingId(line))
  })
}

function escapeHeadingId(line: string): string {
  return line.replace(/^([ \t]*#{1,6}[ \t].*)\{(#[^\s{}]+)\}([ \t]*)$/, String.raw`$1\{$2\}$3`)
}

/** A formula on one line: between `$` without inner padding, or between `$$`. Only those with a brace need escaping. */
const formula = /(?<![\\$\w])(\$\$?)(?=[^\s$])([^$`\n]{1,2000}?)(?<=[^\s\\])\1(?![\d$])/g

function escapeFormulas(line: string): string {
  if (!line.includes('$') || !/[{<]/.test(line)) return line
  return line.replace(formula, (_written, marker: string, inner: string) => {
    return `${marker}${inner.replace(/(?<!\\)[{}<]/g, String.raw`\$&`)}${marker}`
  })
}

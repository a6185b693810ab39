const closersMax = 100
const depthMax = 200
const strayMax = 1_000
/** An escaped quote begins nothing, or a line of them would be searched to its end from each. */
const bracketOrQuoted = /\\.|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[[\]{}]/g
const nestedMarks = /(?:[-?:&!*|>][^\s,[\]{}]{0,20}[ \t]+){40}/

/**
 * Whether YAML can be parsed in reasonable time. Brackets that close nothing are an error each, and the parser takes
 * quadratic time for many of them, as for directives and bare carriage returns, and far more for deep nesting on one line.
 * Linear.
 */
export function isTameYaml(text: string): boolean {
  let depth = 0
  let closers = 0
  for (const [bracket] of text.matchAll(bracketOrQuoted)) {
    if (bracket === '[' || bracket === '{') depth++
    else if (bracket !== ']' && bracket !== '}') continue
    else if (depth > 0) depth--
    else closers++
    if (depth > depthMax || closers > closersMax) return false
  }
  const strays = text.matchAll(/^%|^[|>]|\r(?!\n)/gm).take(strayMax + 1)
  return !nestedMarks.test(text) && [...strays].length <= strayMax
}

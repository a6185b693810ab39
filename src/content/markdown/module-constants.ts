import type { LiteralValue } from './literal-value.ts'
import { parseLiteralAt } from './parse-literal.ts'

const moduleFile = /\.(?:[cm]?[jt]sx?|json)$/i
const declaration = /^export (?:const|default)\b(?:\s+([\w$]{1,100})\s*(?::[^=\n]{1,200})?=)?\s*/gm
const constantsMax = 500
/** What the attempts to parse may read in total, as multiples of the file. */
const passesMax = 3

/** Whether pages import values from such a file by name, without running it. */
export function isModuleFile(file: string): boolean {
  return moduleFile.test(file)
}

/** The literals that a module exports, or all of a JSON file as `default`. Runs nothing. */
export function readModuleConstants(file: string, text: string): Map<string, LiteralValue> {
  const constants = new Map<string, LiteralValue>()
  if (!isModuleFile(file)) return constants
  const declared = /\.json$/i.test(file) ? [{ name: 'default', start: 0 }] : listDeclarations(text)
  let charsLeft = text.length * passesMax
  for (const { name, start } of declared.slice(0, constantsMax)) {
    if (charsLeft < 0) break
    const { value, end } = parseLiteralAt(text, start, constants)
    charsLeft -= end - start
    if (value !== undefined) constants.set(name, value)
  }
  return constants
}

function listDeclarations(text: string): { name: string; start: number }[] {
  return [...text.matchAll(declaration)].map((match) => ({
    name: match[1] ?? 'default',
    start: match.index + match[0].length,
  }))
}

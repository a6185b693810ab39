import { type ParseResult, parseSync } from 'oxc-parser'

/** @param path Its extension determines the language. @throws {Error} if the source cannot be parsed. */
export function parseSource(path: string, source: string): ParseResult {
  const parsed = parseSync(path, source)
  if (parsed.errors[0]) throw new Error(`${path} cannot be parsed: ${parsed.errors[0].message}`)
  return parsed
}

/** Counted from 1. */
export function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

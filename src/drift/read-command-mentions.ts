import { isCompoundName, nameKey } from './name-key.ts'

/** Words of a command line up to its first option or argument. */
export interface CommandLine {
  words: string[]
  /** Whether another tool runs it, which may have it from anywhere. */
  isRun: boolean
}

const runner =
  /^(?:npx|bunx|uvx|(?:pnpm|yarn|npm) (?:dlx|exec)|(?:uv|poetry|pipenv|deno) run|python3? -m|bundle exec|go run|cargo run(?: -q)? --)[ \t]+(?:-{1,2}[\w-]+[ \t]+){0,3}/
const otherTool =
  /(?:^|[\s`&|;$])(?:npm|npx|pnpm|yarn|bun|pip|uv|git|docker|curl|node|deno|cargo|go|brew|apt(?:-get)?|kubectl|helm|create-[\w-]+|tsc|eslint|jest|pytest|python3?|poetry|make)[ \t]/
const commandWordsMax = 3

/** The command that a text begins with, such as what stands before a flag; null for that of a well-known tool. */
export function readCommandLine(text: string): CommandLine | null {
  const line = text.slice(0, 300).replace(/^[\s>]*(?:[$%][ \t]+)?/, '')
  const own = line.replace(runner, '')
  const isRun = own.length < line.length
  if (otherTool.test(` ${own} `)) return null
  const words: string[] = []
  for (const word of own.trim().split(/\s+/)) {
    if (!/^[a-z][\w:.-]*$/.test(word)) break
    words.push(word)
  }
  return { words, isRun }
}

/** The commands that a line of a shell, or inline code, runs: the program, and what may be commands of it. */
export function listCommands(text: string): { name: string; program: string }[] {
  const line = readCommandLine(text)
  if (line === null) return []
  const words = line.words.slice(0, commandWordsMax)
  const program = (words[0] ?? '').split('.')[0] ?? ''
  const isProgram = isCompoundName(nameKey(program)) && !program.includes('_')
  return [
    ...(isProgram ? [{ name: program, program: '' }] : []),
    ...words.slice(1).flatMap((name) => (/^[a-z][a-z\d:-]+$/.test(name) ? [{ name, program }] : [])),
  ]
}

/** `acme[redis]`, `acme = { features = ["redis"] }`, `--features redis` */
const extras = /(?<![\w.-])([A-Za-z][\w.-]*)\[([\w, -]{2,100})\]/g
const features = /\bfeatures[ \t]*=[ \t]*\[([^\]\n]{0,200})\]|--features?[ =]["']?([\w,/-]+)/g

/** The optional features of packages that a line asks for. */
export function listFeatures(text: string): string[] {
  const lists = [
    ...[...text.matchAll(extras)].map(([, , list = '']) => list),
    ...(text.includes('feature') ? [...text.matchAll(features)].map(([, first, second]) => first ?? second ?? '') : []),
  ]
  return lists.flatMap((list) => list.match(/[A-Za-z][\w-]+/g) ?? [])
}

import type { CommandReference } from './command-reference.ts'
import type { SampleVerdict } from './sample.ts'
import type { ShellCommand } from './shell-words.ts'

const runners = new Set(['npx', 'bunx', 'sudo', 'pnpm', 'yarn', 'exec', 'dlx', '--', '-y', '--yes'])

/** Checks a line of a shell against the page that describes the program. Null if no page does. */
export function checkCommandSample(
  { words, line }: ShellCommand,
  references: ReadonlyMap<string, CommandReference>,
): SampleVerdict | null {
  const texts = words.map(({ text }) => text)
  const start = texts.findIndex((text) => !runners.has(text) && !/^\w+=/.test(text))
  const program = texts[start]?.replace(/@[\w.-]+$/, '') ?? ''
  const reference = references.get(program)
  if (reference === undefined) return null
  const basis = reference.file
  const wrong = (message: string, subject: string): SampleVerdict => ({
    outcome: 'wrong',
    basis,
    message,
    line,
    subject,
  })
  const given = texts.slice(start + 1)
  const end = given.indexOf('--')
  const own = end < 0 ? given : given.slice(0, end)
  const unknown = own
    .map((text) => /^(--[a-z][\w-]+)/.exec(text)?.[1] ?? '')
    .find((flag) => flag !== '' && !isKnownFlag(flag, reference))
  if (unknown !== undefined) return wrong(`${basis} describes no flag \`${unknown}\` of ${program}.`, unknown)
  const [first] = own
  const isWord = first !== undefined && /^[a-z][a-z-]+$/.test(first)
  const subcommands = new Set([...reference.commands].map((command) => command.split(' ')[1]))
  if (isWord && !subcommands.has(first))
    return wrong(`${basis} describes no command \`${program} ${first}\`.`, `${program} ${first}`)
  return { outcome: 'right', basis }
}

function isKnownFlag(flag: string, { flags }: CommandReference): boolean {
  if (flag === '--help' || flag === '--version') return true
  return flags.has(flag) || flags.has(flag.replace(/^--no-/, '--')) || flags.has(flag.replace(/^--/, '--no-'))
}

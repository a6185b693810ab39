import { hash } from 'node:crypto'
import { serialize } from 'node:v8'
import { isAboutPresent } from '../claims/find-contradictions.ts'
import type { Remember } from '../flatten/source-library.ts'
import { readFenceMarker } from '../markdown/code-fence.ts'
import { splitBlocks } from '../markdown/markdown-blocks.ts'
import type { ApiOperation } from '../openapi/openapi-document.ts'
import type { SitePage } from '../site-page.ts'
import { checkDataSample } from './check-data-sample.ts'
import { checkRequestSample } from './check-request-sample.ts'
import { checkScriptSample } from './check-script-sample.ts'
import { type CommandReference, readCommandReferences } from './command-reference.ts'
import { type Sample, type SampleVerdict, undecided } from './sample.ts'
import type { SchemaSource } from './schema-fault.ts'
import { readShellCommands, type ShellCommand } from './shell-words.ts'

/** What samples are checked against, besides the syntax of their language. */
export interface SampleKnowledge {
  operations: readonly ApiOperation[]
  /** By the last segment of their address. */
  schemas: ReadonlyMap<string, SchemaSource>
}

export interface CheckedSample {
  page: SitePage
  /** Position of its block: see `splitBlocks`. */
  block: number
  sample: Sample
  verdict: SampleVerdict
}

/** Checks the fenced blocks of pages without running anything; what cannot be decided is reported as undecided. Pure. */
export function checkSamples(pages: readonly SitePage[], knowledge: SampleKnowledge): CheckedSample[] {
  const present = pages.filter(isChecked)
  const all = { ...knowledge, references: readCommandReferences(present) }
  return present.flatMap((page) => checkPage(page.markdown, all).map((checked) => ({ page, ...checked })))
}

/** As `checkSamples`, but only those that are wrong, remembered by page for as long as the site describes the same. */
export function findWrongSamples(
  pages: readonly SitePage[],
  knowledge: SampleKnowledge,
  remember: Remember,
): CheckedSample[] {
  const present = pages.filter(isChecked)
  const all = { ...knowledge, references: readCommandReferences(present, remember) }
  const kind = `wrong-samples ${hash('sha256', serialize(all), 'base64url')}`
  return present.flatMap((page) => {
    const wrong = remember(kind, [page.markdown], () =>
      checkPage(page.markdown, all).filter(({ verdict }) => verdict.outcome === 'wrong'),
    )
    return wrong.map((checked) => ({ page, ...checked }))
  })
}

const isChecked = (page: SitePage) => isAboutPresent(page) && !/change-?log/i.test(page.path)

type FullKnowledge = SampleKnowledge & { references: ReadonlyMap<string, CommandReference> }

function checkPage(markdown: string, knowledge: FullKnowledge): Omit<CheckedSample, 'page'>[] {
  return splitBlocks(markdown).flatMap(({ kind, text }, block) => {
    const sample = kind === 'fence' ? readSample(text) : null
    return sample === null ? [] : { block, sample, verdict: checkSample(sample, knowledge) }
  })
}

function readSample(text: string): Sample | null {
  const [first = '', ...lines] = text.split('\n')
  const marker = readFenceMarker(first)
  if (marker === null) return null
  const [language = ''] = first
    .slice(first.indexOf(marker) + marker.length)
    .trim()
    .split(/[\s{,:]/)
  const quoted = /^[ \t]*>/.test(first) ? /^[ \t]*>[ \t>]?/ : null
  const bare = quoted === null ? lines : lines.map((line) => line.replace(quoted, ''))
  const body = bare.at(-1)?.trim().startsWith(marker) === true ? bare.slice(0, -1) : bare
  const indent = Math.min(...body.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  return {
    language: language.toLowerCase(),
    code: body.map((line) => line.slice(Number.isFinite(indent) ? indent : 0)).join('\n'),
  }
}

const scripts = new Set(['js', 'jsx', 'ts', 'tsx', 'mjs', 'cjs', 'mts', 'cts', 'javascript', 'typescript'])
const dataLanguages = new Set(['json', 'jsonc', 'yaml', 'yml', 'toml'])
const shells = new Set(['sh', 'bash', 'shell', 'zsh', 'console', 'terminal', 'shellscript'])

function checkSample(sample: Sample, knowledge: FullKnowledge): SampleVerdict {
  const { language } = sample
  if (dataLanguages.has(language)) return checkDataSample(sample, knowledge.schemas)
  if (scripts.has(language)) return checkScriptSample(sample)
  if (!shells.has(language)) return undecided
  const verdicts = readShellCommands(sample.code).flatMap((command) => {
    const isRequest = command.words[0]?.text === 'curl'
    return (
      (isRequest
        ? checkRequestSample(command, knowledge.operations)
        : checkCommandSample(command, knowledge.references)) ?? []
    )
  })
  const wrong = verdicts.find(({ outcome }) => outcome === 'wrong')
  return wrong ?? verdicts.find(({ outcome }) => outcome === 'right') ?? undecided
}

const runners = new Set(['npx', 'bunx', 'sudo', 'pnpm', 'yarn', 'exec', 'dlx', '--', '-y', '--yes'])

/** Checks a line of a shell against the page that describes the program. Null if no page does. */
function checkCommandSample(
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

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { SettingsError } from '../config/load-settings.ts'
import { type KeyCreate, keyCreateSchema } from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { ask } from './ask.ts'
import { config } from './config.ts'
import { doctor } from './doctor.ts'
import { evaluateRetrieval } from './eval.ts'
import { createKey, listKeys, revokeKey } from './key.ts'
import { createOutput, type Output } from './output.ts'
import { search } from './search.ts'
import { addSiteCommands } from './site-commands.ts'
import { start } from './start.ts'

/** Exit codes of the contract. */
const failed = 1
const wrongUse = 2

const program = new Command('docent')
  .description('Answers questions about a documentation site, from its own pages.')
  .option('--json', 'print one JSON document, or one a line, and nothing else on standard output')
  .exitOverride()
  .showHelpAfterError('Run with --help to see how it is used.')

const output = (): Output => createOutput(program.opts<{ json?: boolean }>().json === true)

/** Collects an option that may be given several times. */
const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

const days = (value: string): number => {
  if (/^(7|30|60|90)$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Take 7, 30, 60 or 90, or leave it out for a key that never expires.')
}

const resultCount = (value: string): number => {
  if (/^([1-9]|[1-4]\d|50)$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Take a whole number from 1 to 50.')
}

program
  .command('start')
  .description('start the server and the worker')
  .action(() => start(output()))
program
  .command('config')
  .description('print the settings in effect')
  .action(() => config(output()))
program
  .command('doctor')
  .description('check the settings, the data folder, the database, git and the model')
  .action(async () => {
    if (!(await doctor(output()))) process.exitCode = failed
  })

program
  .command('ask')
  .description('ask a question and print the answer')
  .argument('<question...>')
  .option('--site <slug>', 'the site', 'docs')
  .option('--key <key>', 'an assistant key of the site; DOCENT_ASSISTANT_KEY without it')
  .action((question: string[], options: { site: string; key?: string }) =>
    ask(output(), { ...options, question: question.join(' ') }),
  )

program
  .command('search')
  .description('search a site and print the passages that fit')
  .argument('<query...>')
  .option('--site <slug>', 'the site', 'docs')
  .option('--key <key>', 'an assistant key of the site; DOCENT_ASSISTANT_KEY without it')
  .option('--limit <count>', 'the most results, 1 to 50', resultCount, 5)
  .action((query: string[], options: { site: string; key?: string; limit: number }) =>
    search(output(), { site: options.site, key: options.key, query: query.join(' '), pageSize: options.limit }),
  )

program
  .command('eval')
  .description('measure how well this installation finds and answers')
  .command('retrieval')
  .description('index a judged corpus, ask its queries and measure the rankings')
  .argument('<folder>', 'holds pages.jsonl or chunks.jsonl, queries.jsonl and qrels.jsonl')
  .action((folder: string) => evaluateRetrieval(output(), folder))

const key = program.command('key').description('make, list and revoke keys')
key
  .command('create')
  .description('make a key; it is shown once')
  .addOption(
    new Option('--kind <kind>', 'admin: servers only; assistant: public, for one site')
      .choices(['admin', 'assistant'])
      .makeOptionMandatory(),
  )
  .requiredOption('--name <name>', 'what it is for')
  .option('--site <slug>', 'the site of an assistant key')
  .option('--expires-in-days <days>', '7, 30, 60 or 90; never without it', days)
  .addOption(
    new Option('--scope <scope>', 'of an admin key; both without it').choices(['read', 'write']).argParser(collect),
  )
  .option('--ip <range>', 'an address or CIDR range that may use it; any without it', collect)
  .option('--origin <origin>', 'an origin that may use an assistant key; any without it', collect)
  .option('--group <group>', 'a reader group that holders of an assistant key belong to', collect)
  .action((options: Record<string, unknown>) => createKey(output(), readKeyOptions(options)))
key
  .command('list')
  .description('list the keys, newest first')
  .action(() => listKeys(output()))
key
  .command('revoke')
  .description('revoke a key')
  .argument('<id>')
  .action((id: string) => revokeKey(output(), id))

addSiteCommands(program, output)

function readKeyOptions(options: Record<string, unknown>): KeyCreate {
  return keyCreateSchema.parse({
    kind: options.kind,
    name: options.name,
    siteId: options.site,
    expiresInDays: options.expiresInDays,
    scopes: options.scope,
    ipRanges: options.ip,
    origins: options.origin,
    groups: options.group,
  })
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = describeFailure(error)
}

/** Prints what went wrong, and chooses the exit code. */
function describeFailure(error: unknown): number {
  // commander has printed its own message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUse
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  if (error instanceof AppError) {
    for (const detail of error.details ?? [])
      if (detail.message !== message) process.stderr.write(`  - ${detail.path}: ${detail.message}\n`)
    return error.code === 'invalid_request' ? wrongUse : failed
  }
  return error instanceof SettingsError ? wrongUse : failed
}

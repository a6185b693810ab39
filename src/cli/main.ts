import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { makeFilesPrivate } from '../app/tighten-data-folder.ts'
import { SettingsError } from '../config/load-settings.ts'
import { type KeyCreate, keyCreateSchema } from '../contract/admin.ts'
import { AppError } from '../contract/app-error.ts'
import { ask } from './ask.ts'
import { addBackupCommands } from './backup-commands.ts'
import { config } from './config.ts'
import { createKey, listKeys, revokeKey } from './key.ts'
import { printOwnerLink } from './owner-link.ts'
import { listRepositories, removeRepository } from './repository.ts'
import { createOutput, type Output } from './output.ts'
import { search } from './search.ts'
import { addSettingsCommands } from './settings.ts'
import { addAutomationCommands } from './automation-commands.ts'
import { addJobCommands } from './job-commands.ts'
import { addGithubAppCommands } from './github-app-commands.ts'
import { addSiteCommands } from './site-commands.ts'
import { addWebhookCommands } from './webhook-commands.ts'

// Before anything is loaded or written that may make a file.
makeFilesPrivate()

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

// The parts of the service are loaded by the commands that need them: the others ask a server that runs.
const loadStart = () => import('./start.ts')

program
  .command('start')
  .description('start the server and the worker')
  .action(async () => (await loadStart()).start(output()))
program
  .command('serve')
  .description('start the server without the worker; needs PostgreSQL')
  .action(async () => (await loadStart()).serve(output()))
program
  .command('work')
  .description('start the worker without the server; needs PostgreSQL')
  .action(async () => (await loadStart()).work(output()))
program
  .command('config')
  .description('print the settings in effect')
  .action(() => config(output()))
program
  .command('doctor')
  .description('check the settings, the data folder, the database, git and the model')
  .action(async () => {
    const { doctor } = await import('./doctor.ts')
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

const evaluation = program.command('eval').description('measure how well this installation finds and answers')
evaluation
  .command('answers')
  .description('ask the assistant judged questions, with the model that is set, and measure its answers')
  .argument('<folder>', 'holds answers.jsonl, and site/ where the questions are about a site of their own')
  .option('--site <slug>', 'the site; without it the only one, or docs')
  .option('--verbose', 'list every answer that is not good')
  .action(async (folder: string, options: { site?: string; verbose?: boolean }) => {
    const { evaluateAnswers } = await import('./eval-answers.ts')
    await evaluateAnswers(output(), { folder, site: options.site, isVerbose: options.verbose === true })
  })
evaluation
  .command('retrieval')
  .description('index a judged corpus, ask its queries and measure the rankings')
  .argument('<folder>', 'holds pages.jsonl or chunks.jsonl, queries.jsonl and qrels.jsonl')
  .action(async (folder: string) => (await import('./eval.ts')).evaluateRetrieval(output(), folder))

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
  .addOption(
    new Option('--session <when>', 'whether questions with an assistant key need a session; off without it').choices([
      'off',
      'pressure',
      'always',
    ]),
  )
  .option('--normal-per-minute <count>', 'questions in a minute that are usual; more is pressure', Number)
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
addGithubAppCommands(program, output)
addJobCommands(program, output)
addAutomationCommands(program, output)
addSettingsCommands(program, output)
addWebhookCommands(program, output)
addBackupCommands(program, output)
const repository = program.command('repository').description('list and remove repositories of the built-in host')
repository
  .command('list')
  .description('list the repositories and where to clone them')
  .action(() => listRepositories(output()))
repository
  .command('remove')
  .description('remove a repository with its history and pull requests')
  .argument('<name>', 'such as default/docs')
  .option('--yes', 'say that you mean it')
  .action((name: string, options: { yes?: boolean }) => removeRepository(output(), name, options))
program
  .command('owner-link')
  .description('make a link that signs the owner in, once')
  .action(() => printOwnerLink(output()))

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
    session: options.session,
    normalPerMinute: options.normalPerMinute,
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

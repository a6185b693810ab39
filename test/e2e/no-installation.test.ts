import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createProgram } from '../../src/cli/create-program.ts'
import type { Output } from '../../src/cli/output.ts'
import { runCommand } from '../support/run-command.ts'
import { startPostgres } from '../support/start-postgres.ts'

// What every command does where the first start has not been made. Only a server makes it, because only there do people
// look for the keys and the owner's link, which are printed once.

/**
 * - `starts`: makes the first start or waits for it; tested with its processes in `first-start.test.ts`.
 * - `group`: has subcommands only, and prints its help.
 * - `needs-installation`: says so and ends with 1.
 * - a pattern: what the command says instead, because it needs none or something else.
 */
type Expectation = 'starts' | 'group' | 'needs-installation' | RegExp

const needsInstallation = /There is no Docent installation in .+ Start Docent first: npm run docent -- start/

/** Every command with arguments that lead to its work. A command that is missing here turns a test red. */
const commands: Record<string, [args: string, expectation: Expectation]> = {
  start: ['', 'starts'],
  serve: ['', 'starts'],
  work: ['', 'starts'],
  config: ['', /dataFolder/],
  doctor: ['', needsInstallation],
  ask: ['--key svc_dsc_x Who?', /No server is running on this data folder\. To start one: npm run docent -- start/],
  search: ['--key svc_dsc_x words', /No server is running on this data folder\. To start one: npm run docent -- start/],
  receipt: ['thread_1', 'needs-installation'],
  replay: ['thread_1', 'needs-installation'],
  verify: ['nowhere.json --repository .', /There is no file "nowhere\.json"/],
  test: ['', /There is no docent\.tests\.yaml here/],
  check: ['/nowhere-in-git', /is not in a git repository/],
  lint: ['nowhere', /nowhere/],
  eval: ['', 'group'],
  'eval answers': ['QUESTIONS', 'needs-installation'],
  'eval retrieval': ['nowhere', /nowhere/],
  drift: ['', /is not a git repository/],
  key: ['', 'group'],
  'key create': ['--kind admin --name x', 'needs-installation'],
  'key change': ['key_1 --name x', 'needs-installation'],
  'key list': ['', 'needs-installation'],
  'key revoke': ['key_1', 'needs-installation'],
  'owner-link': ['', 'needs-installation'],
  site: ['', 'group'],
  'site add': ['. --slug x', 'needs-installation'],
  'site change': ['docs --name x', 'needs-installation'],
  'site remove': ['docs --yes', 'needs-installation'],
  'site list': ['', 'needs-installation'],
  'site sync': ['docs', 'needs-installation'],
  'site check': ['docs', 'needs-installation'],
  'site webhook': ['docs', 'needs-installation'],
  'site findings': ['docs', 'needs-installation'],
  'site show': ['docs', 'needs-installation'],
  'site confirm': ['docs', 'needs-installation'],
  'site identity-secret': ['docs', 'needs-installation'],
  'site settings': ['docs suggestions true', 'needs-installation'],
  'site widget': ['docs mode modal', 'needs-installation'],
  'site context': ['', 'group'],
  'site context add': ['docs product .', 'needs-installation'],
  'site context list': ['docs', 'needs-installation'],
  'site context remove': ['docs product', 'needs-installation'],
  export: ['', 'group'],
  'export agents': ['docs', 'needs-installation'],
  'github-app': ['', 'group'],
  'github-app create': ['', 'needs-installation'],
  'github-app list': ['', 'needs-installation'],
  'github-app remove': ['app_1 --yes', 'needs-installation'],
  job: ['', 'group'],
  'job create': ['Rename', 'needs-installation'],
  'job watch': ['job_1', 'needs-installation'],
  'job list': ['', 'needs-installation'],
  'job allow-deletions': ['job_1', 'needs-installation'],
  'job cancel': ['job_1', 'needs-installation'],
  automation: ['', 'group'],
  'automation add': ['--site docs --name x --prompt y', 'needs-installation'],
  'automation list': ['', 'needs-installation'],
  'automation run': ['auto_1', 'needs-installation'],
  'automation runs': ['auto_1', 'needs-installation'],
  'automation remove': ['auto_1', 'needs-installation'],
  settings: ['', 'group'],
  'settings list': ['', 'needs-installation'],
  'settings set': ['model docent/offline', 'needs-installation'],
  'settings unset': ['model', 'needs-installation'],
  'settings check': ['', 'needs-installation'],
  model: ['', 'group'],
  'model find': ['', /on this machine|This machine offers/],
  'model check': ['', 'needs-installation'],
  bot: ['', 'group'],
  'bot connect': ['docs slack --token-file /etc/passwd --signing-secret-file /etc/passwd', 'needs-installation'],
  'bot list': ['docs', 'needs-installation'],
  'bot set': ['docs slack', 'needs-installation'],
  'bot check': ['docs slack', 'needs-installation'],
  'bot remove': ['docs slack', 'needs-installation'],
  webhook: ['', 'group'],
  'webhook add': ['https://example.com/hook', 'needs-installation'],
  'webhook list': ['', 'needs-installation'],
  'webhook test': ['whe_1', 'needs-installation'],
  'webhook deliveries': ['whe_1', 'needs-installation'],
  'webhook remove': ['whe_1', 'needs-installation'],
  repository: ['', 'group'],
  'repository list': ['', 'needs-installation'],
  'repository remove': ['default/docs --yes', 'needs-installation'],
  backup: ['copy.tar', 'needs-installation'],
  'backup verify': ['copy.tar', /There is no file .*copy\.tar/],
  restore: ['copy.tar', /There is no file .*copy\.tar/],
  'move-to-postgres': ['', /DATABASE_URL is missing/],
  migrate: ['', 'needs-installation'],
  'migrate status': ['', /0001\w+ +pending/],
}

const listed = Object.entries(commands).map(([name, [args, expectation]]) => ({ name, args, expectation }))
const needing = listed.filter(({ expectation }) => expectation === 'needs-installation')

let folder: string
let questions: string
const startedIn = process.cwd()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  questions = await mkdtemp(join(tmpdir(), 'docent-test-'))
  const question = { qid: 'q1', query: 'Who?', pages: ['/a'], facts: [['a']], answerable: true }
  await writeFile(join(questions, 'answers.jsonl'), `${JSON.stringify(question)}\n`)
})
afterEach(async () => {
  process.chdir(startedIn)
  for (const each of [folder, questions]) await rm(each, { recursive: true, force: true })
})

/** Runs a command in the empty folder. @returns Everything that it has said, its refusal included. */
async function runHere(name: string, args: string, env: Record<string, string> = {}): Promise<string> {
  const said: string[] = []
  const output: Output = {
    isJson: false,
    result: (_, forPeople) => void said.push(forPeople()),
    write: (text) => void said.push(text),
    progress: (text) => void said.push(text),
  }
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value)
  process.chdir(folder)
  const words = args.split(' ').map((word) => (word === 'QUESTIONS' ? questions : word))
  await createProgram(() => output)
    .parseAsync([...name.split(' '), ...words.filter((word) => word !== '')], { from: 'user' })
    .catch((error: unknown) => void said.push(String(error)))
  // Commands that fail after they have printed set it, for a process of their own.
  process.exitCode = undefined
  return said.join('\n')
}

function listCommands(command: Command, path: readonly string[] = []): string[] {
  return command.commands.flatMap((child) => {
    const words = [...path, child.name()]
    return [words.join(' '), ...listCommands(child, words)]
  })
}

it('every command says what it does without an installation', () => {
  expect(Object.keys(commands).sort()).toEqual(listCommands(createProgram()).sort())
})

it.each(listed.filter(({ expectation }) => expectation !== 'starts' && expectation !== 'group'))(
  'docent $name in an empty folder says what to do and leaves it empty',
  async ({ name, args, expectation }) => {
    const said = await runHere(name, args)

    expect(said).toMatch(expectation instanceof RegExp ? expectation : needsInstallation)
    expect(await readdir(folder)).toEqual([])
  },
)

it.each([
  ['key list', 1],
  ['doctor', 1],
  ['--json site list', 1],
  ['migrate', 1],
  ['migrate status', 1],
  ['config', 0],
  ['--help', 0],
  ['help key', 0],
  ['key', 2],
  ['no-such-command', 2],
  ['key create', 2],
  ['verify package.json --repository /nowhere', 2],
])('the process of "docent %s" ends with %i and leaves an empty folder empty', async (words, code) => {
  const command = runCommand(words.split(' '), { DOCENT_DATA: join(folder, 'data') })

  expect(await command.exit).toBe(code)
  expect(command.stderr()).not.toMatch(/\n {4}at /)
  expect(await readdir(folder)).toEqual([])
})

const database = await startPostgres()
if ('unavailable' in database)
  process.stderr.write(`Skipped commands on an empty PostgreSQL: ${database.unavailable}\n`)
afterAll(async () => {
  if ('stop' in database) await database.stop()
})

describe.skipIf('unavailable' in database)('on an empty PostgreSQL', () => {
  const url = 'url' in database ? database.url : ''
  const env = { DATABASE_URL: url, DOCENT_SECRET_KEY: 'x'.repeat(40) }

  async function listTables(): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      "select table_name from information_schema.tables where table_schema = 'public'",
    )
    await client.end()
    return rows
  }

  it('no command makes an installation or a table, and each says what to do', async () => {
    const wrong: string[] = []
    for (const { name, args } of needing.filter((command) => command.name !== 'migrate')) {
      const said = await runHere(name, args, env)
      if (!said.includes('There is no Docent installation in the database that DATABASE_URL names')) wrong.push(said)
    }

    expect(wrong).toEqual([])
    expect(await listTables()).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it('docent migrate makes the tables and leaves the first start to a server', async () => {
    await runHere('migrate', '', env)

    expect(await listTables()).not.toEqual([])
    expect(await runHere('key list', '', env)).toContain('There is no Docent installation in the database')
  })
})

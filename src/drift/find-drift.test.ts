import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeDrift } from './describe-drift.ts'
import { DriftState } from './drift-state.ts'
import { findDrift } from './find-drift.ts'

type Files = Record<string, string>

const { signal } = new AbortController()
let folder: string
let state: DriftState
const blobs = new Map<string, string>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-test-'))
  state = new DriftState(join(folder, 'facts.sqlite'))
})
afterEach(() => {
  state.close()
  rmSync(folder, { recursive: true })
})

function toTree(revision: string, files: Files) {
  const listed = Object.entries(files).map(([path, text]) => {
    const id = createHash('sha1').update(text).digest('hex')
    blobs.set(id, text)
    return { path, id }
  })
  return { revision, files: listed, read: (id: string) => Promise.resolve(blobs.get(id) ?? null) }
}

const push = (revision: string, files: Files) => state.advanceProduct('app', toTree(revision, files), signal)
const write = (pages: Files) => state.advancePages(toTree('docs', pages), signal)
const list = () =>
  findDrift(state).map((drift) => {
    const { subject, page, isCertain, details } = describeDrift(drift, blobs.get(drift.object) ?? '')
    return {
      subject,
      page,
      isCertain,
      lines: details.places.map(({ line }) => line),
      to: details.replacement?.to ?? null,
    }
  })

const manifest = JSON.stringify({ name: 'app' })
const code = `export function fetchPages(url: string) {
  return url
}
export interface ClientOptions {
  retryCount?: number
  cacheFolder?: string
}
export function createClient({ retryCount = 3, cacheFolder = '.cache' }: ClientOptions) {
  const token = process.env.APP_ACCESS_TOKEN
  return fetchPages('/v1/notes') + token + retryCount + cacheFolder
}
program.option('--dry-run', 'print only')
`
const before: Files = {
  'package.json': manifest,
  'src/client.ts': code,
  'src/other-file.ts': 'export const other = 1\n',
}
const page = (text: string): Files => ({ 'docs/guide.md': `# Guide\n\n${text}\n` })

async function change(text: string, after: Files) {
  await push('one', before)
  await write(page(text))
  await push('two', after)
  return list()
}

const replace = (from: string, to: string): Files => ({ ...before, 'src/client.ts': code.replaceAll(from, to) })
const certain = { subject: expect.any(String) as string, page: 'docs/guide.md', isCertain: true, lines: [3] }

describe('findDrift', () => {
  it.each([
    ['Call `fetchPages()`.', replace('fetchPages', 'loadPages'), 'loadPages'],
    ['Set `APP_ACCESS_TOKEN`.', replace('APP_ACCESS_TOKEN', 'APP_API_TOKEN'), 'APP_API_TOKEN'],
    ['Pass `--dry-run`.', replace('--dry-run', '--preview-run'), '--preview-run'],
    ['Send `GET /v1/notes`.', replace('/v1/notes', '/v2/notes'), '/v2/notes'],
    ['`retryCount` defaults to `3`.', replace('retryCount = 3', 'retryCount = 5'), '5'],
    [
      'Install it with `npm install app`: `app`.',
      { ...before, 'package.json': JSON.stringify({ name: 'app-next' }) },
      'app-next',
    ],
    [
      'See `src/other-file.ts`.',
      { 'package.json': manifest, 'src/client.ts': code, 'src/inner/other-file.ts': 'export const other = 1\n' },
      'src/inner/other-file.ts',
    ],
  ])('is certain of %s, and offers what replaced it', async (text, after, to) => {
    expect(await change(text, after)).toEqual([{ ...certain, to }])
  })

  it('reports options as likely, because a member may be the name of something else', async () => {
    const found = await change('Set `cacheFolder`.', replace('cacheFolder', 'cacheDirectory'))

    expect(found).toEqual([{ ...certain, subject: 'cacheFolder', isCertain: false, to: null }])
  })

  it.each([
    [
      'read from the settings',
      'export const run = ({ config }) => config.deps?.fastOptimizer?.web',
      'Set `deps.fastOptimizer`.',
    ],
    [
      'imported as a module',
      "import { Plain } from './react_agent'\nexport const agent = Plain",
      '## ReAct (`react_agent.ts`)',
    ],
    ['a key of a file of settings', 'export const key = "kiteConfig"', '```json\n{\n  "kiteConfig": {}\n}\n```'],
    [
      'a type that readers add to',
      'type InverseWideMatchers = { a: 1 }',
      '```ts\ndeclare module "app" {\n  interface InverseWideMatchers {}\n}\n```',
    ],
  ])('sees a name that the product lost: %s', async (_, text, said) => {
    await push('one', { ...before, 'src/run.ts': `${text}\n` })
    await write(page(said))
    await push('two', { ...before, 'src/run.ts': 'export const run = 1\n' })

    expect(list()).toMatchObject([{ page: 'docs/guide.md', isCertain: false }])
  })

  it.each([
    [
      'a method after a dot',
      'class Reader:\n    def stream_rows(self):\n        pass',
      '* `def .stream_rows()`: rows',
      false,
    ],
    [
      'a flag that a library makes of a field',
      'class Options:\n    dry_rows: bool = False',
      'Pass `--dry-rows`.',
      false,
    ],
    ['a flag of one word in a sentence', 'flags = ["--watch"]', 'Another program has `--watch` too.', false],
    ['a flag of one word behind a command', 'flags = ["--watch"]', 'Run `app run --watch`.', true],
    ['a flag of one word in a heading', 'flags = ["--watch"]', '## `--watch`', true],
    [
      'a variable of a service',
      'import os\nregion = os.environ["AWS_DEFAULT_REGION"]',
      'Set `AWS_DEFAULT_REGION`.',
      false,
    ],
    ['a type within an expression', 'class DoneCallback:\n    pass', 'It is `(done: DoneCallback) => void`.', false],
    ['a type that stands alone', 'class DoneCallback:\n    pass', 'It is a `DoneCallback`.', true],
  ])('says how sure it is of %s', async (_, text, said, isCertain) => {
    await push('one', { ...before, 'app/run.py': `${text}\n` })
    await write(page(said))
    await push('two', { ...before, 'app/run.py': 'run = 1\n' })

    expect(list()).toMatchObject([{ page: 'docs/guide.md', isCertain }])
  })

  it('takes another spelling of a member for the same in a table, and not in a sentence', async () => {
    await push('one', {
      ...before,
      'src/run.ts': 'export interface Run {\n  readRows: number\n  readNames: number\n}\n',
    })
    await write(page('The scope `read_rows` is enough.\n\n| Key | Does |\n| --- | --- |\n| `read_names` | Reads |'))
    await push('two', { ...before, 'src/run.ts': 'export const run = 1\n' })

    expect(list()).toMatchObject([{ subject: 'readNames' }])
  })

  it('takes an unquoted key of two parts in a sample for its reader’s own, and a quoted one for data', async () => {
    await push('one', {
      ...before,
      'src/run.ts': 'export interface Run {\n  batchRows: number\n  batchName: string\n}\n',
    })
    await write(page('```ts\nstart({\n  batchRows: 1,\n  "batchName": "a",\n})\n```'))
    await push('two', { ...before, 'src/run.ts': 'export const run = 1\n' })

    expect(list()).toMatchObject([{ subject: 'batchName' }])
  })

  it('leaves names alone that a sample declares as its own, and reads of objects that are no settings', async () => {
    await push('one', {
      ...before,
      'src/run.ts': 'type WideMatchers = 1\nexport const run = (row) => row.kindOfThing\n',
    })
    await write(page('Read `kindOfThing`.\n\n```ts\ninterface WideMatchers {}\n```'))
    await push('two', { ...before, 'src/run.ts': 'export const run = 1\n' })

    expect(list()).toEqual([])
  })

  it('sees a parameter that one function lost while another keeps it', async () => {
    const both = 'def read_lines(path, chunk_size=1):\n    pass\n\ndef read_bytes(path, chunk_size=1):\n    pass\n'
    await push('one', { 'app/io.py': both })
    await write(page('Use `read_lines(path, chunk_size=8)` and `read_bytes(path, chunk_size=8)`.'))
    await push('two', { 'app/io.py': both.replace('chunk_size=1', 'limit=1') })

    expect(list()).toMatchObject([{ subject: 'chunk_size', isCertain: false }])
  })

  it('sees a field that one operation of an API lost while another keeps it', async () => {
    const operation = (fields: string[]) => ({
      requestBody: {
        content: { json: { schema: { properties: Object.fromEntries(fields.map((name) => [name, {}])) } } },
      },
    })
    const api = (fields: string[]) =>
      JSON.stringify({
        openapi: '3.1.0',
        servers: [{ url: 'https://api.example/v1' }],
        paths: { '/notes': { post: operation(fields) }, '/lists': { post: operation(['due_date']) } },
      })
    await push('one', { 'openapi.json': api(['due_date', 'text']) })
    await write(
      page(
        '## `POST /v1/notes`\n\n| Field | |\n| --- | --- |\n| `due_date` | When. |\n\n```json\n{ "due_date": 1 }\n```\n\n## `POST /lists`\n\nSend `due_date`.',
      ),
    )
    await push('two', { 'openapi.json': api(['text']) })

    expect(list()).toEqual([{ ...certain, subject: 'due_date', lines: [7, 10], to: null }])
  })

  it('tells pages that are written after the change as well', async () => {
    await push('one', before)
    await push('two', replace('fetchPages', 'loadPages'))
    await write(page('Call `fetchPages()`.'))

    expect(list()).toEqual([{ ...certain, subject: 'fetchPages', to: 'loadPages' }])
  })

  it('ends once the page is fixed or the name is back', async () => {
    await change('Call `fetchPages()`.', replace('fetchPages', 'loadPages'))
    await write(page('Call `loadPages()`.'))
    expect(list()).toEqual([])

    await write(page('Call `fetchPages()`.'))
    expect(list()).toHaveLength(1)
    await push('three', before)
    expect(list()).toEqual([])
  })

  it.each([
    ['told as history', 'The function `fetchPages()` was removed.'],
    ['linked elsewhere', 'See [`fetchPages`](https://example.com/other).'],
    ['declared by the sample', '```ts\nfunction fetchPages() {}\nfetchPages()\n```'],
    ['imported from another package', "```ts\nimport { fetchPages } from 'other'\nfetchPages()\n```"],
    ['a flag of another tool', '```sh\nnpm install --dry-run\n```'],
    ['part of a longer name', 'Call `fetchPagesTwice()`.'],
  ])('stays silent about a name that is %s', async (_, text) => {
    expect(await change(text, replace('fetchPages', 'loadPages'))).toEqual([])
  })

  it.each<[string, Files]>([
    ['a file is moved', { 'package.json': manifest, 'src/inner/client.ts': code }],
    [
      'a file is split',
      {
        ...before,
        'src/client.ts': code.slice(0, code.indexOf('export interface')),
        'src/options.ts': code.slice(code.indexOf('export interface')),
      },
    ],
    ['quotes and layout change', { ...before, 'src/client.ts': code.replaceAll("'", '"').replaceAll('  ', '\t') }],
    ['comments go', { ...before, 'src/client.ts': code.replaceAll(/\/\/.*/g, '') }],
    ['a local name changes', replace('const token', 'const secret')],
    ['the style of a name changes', replace('retryCount', 'retry_count')],
  ])('stays silent when %s', async (_, after) => {
    const text =
      'Call `fetchPages()` with `retryCount` (default: `3`), `--dry-run` and `APP_ACCESS_TOKEN` at `/v1/notes`.'

    expect(await change(text, { 'src/other-file.ts': 'export const other = 1\n', ...after })).toEqual([])
  })

  it.each(['CHANGES.md', 'README_pt_BR.md', 'VERSION_2_UPGRADE.md', 'test/fixtures/readme.md'])(
    'does not read %s',
    async (file) => {
      await push('one', before)
      await write({ [file]: 'Call `fetchPages()`.' })
      await push('two', replace('fetchPages', 'loadPages'))

      expect(list()).toEqual([])
    },
  )

  it('reads pages about tests', async () => {
    await push('one', before)
    await write({ 'docs/test/fetching.md': 'Call `fetchPages()`.' })
    await push('two', replace('fetchPages', 'loadPages'))

    expect(list()).toHaveLength(1)
  })

  it('does not take one name for another because their lines are alike', async () => {
    const lines = 'export const disableEmulation = 1\nexport default { disableEmulation }\n'
    await push('one', { ...before, 'src/flags.ts': lines })
    await write(page('Import `disableEmulation`.'))
    await push('two', { ...before, 'src/flags.ts': lines.replaceAll('disableEmulation', 'noExitOnFailure') })

    expect(list()).toMatchObject([{ subject: 'disableEmulation', to: null }])
  })

  it('counts a name as gone although tests keep it', async () => {
    const kept = { 'src/client.test.ts': code }

    expect(await change('Call `fetchPages()`.', { ...replace('fetchPages', 'loadPages'), ...kept })).toHaveLength(1)
  })

  it('reports a package that left as one finding', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `packages/kit/src/f${index}.ts`,
        `export function makeThing${index}() {}\n`,
      ]),
    )
    await push('one', { ...before, ...files, 'packages/kit/package.json': JSON.stringify({ name: 'app-kit' }) })
    await write(page(Array.from({ length: 30 }, (_, index) => `- \`makeThing${index}()\``).join('\n')))
    await push('two', before)

    expect(list()).toMatchObject([{ subject: 'app-kit' }])
  })
})

describe('facts in further forms', () => {
  const rest = { 'package.json': manifest, 'src/rest.ts': 'export const rest = 1\n' }
  const after = async (text: string, one: Files, two: Files) => {
    await push('one', { ...rest, ...one })
    await write(page(text))
    await push('two', { ...rest, ...two })
    return list().map(({ subject }) => subject)
  }

  it.each<[string, string, string, string, string, string]>([
    [
      'a method of one line',
      'src/a.ts',
      'export class Vault {\n  readSecret(name: string) { return name }\n}',
      'readSecret',
      'fetchSecret',
      'Use `vault.readSecret(name)`.',
    ],
    [
      'a member of an enum',
      'src/a.ts',
      "export enum Mode {\n  FastLane = 'fast',\n}",
      'FastLane',
      'QuickLane',
      'Set `Mode.FastLane`.',
    ],
    [
      'an option of yargs',
      'src/cli.ts',
      "yargs.option('max-depth', { type: 'number' })",
      'max-depth',
      'depth-limit',
      'Run `app scan --max-depth 3`.',
    ],
    [
      'an event',
      'src/a.ts',
      "emitter.emit('index-built', x)",
      'index-built',
      'index-finished',
      'Listen to `index-built`.',
    ],
    [
      'a function of Kotlin',
      'src/V.kt',
      'class Vault {\n  fun openVault(p: String) {}\n}',
      'openVault',
      'unlockVault',
      'Call `vault.openVault(p)`.',
    ],
    [
      'a parameter that Python calls by name',
      'app/a.py',
      'def connect(host, retry_count=3):\n    return host\n',
      'retry_count',
      'attempts',
      'Pass `retry_count`.',
    ],
    [
      'a package of Python',
      'pyproject.toml',
      '[project]\nname = "app-core"\n',
      'app-core',
      'app-kernel',
      '```sh\npip install app-core\n```',
    ],
    [
      'a property of a schema',
      'schema.json',
      '{\n  "properties": {\n    "outDir": { "type": "string" }\n  }\n}',
      'outDir',
      'outputFolder',
      'Set `outDir`.',
    ],
    [
      'a path of OpenAPI in YAML',
      'openapi.yaml',
      'openapi: 3.0.0\npaths:\n  /users/{id}:\n    get:\n      operationId: getUser\n',
      '/users',
      '/accounts',
      'Send `GET /users/{id}`.',
    ],
    [
      'an export of CommonJS',
      'src/a.js',
      'exports.readSecret = function (name) {}\n',
      'readSecret',
      'fetchSecret',
      'Call `readSecret(name)`.',
    ],
    [
      'an export in an object of CommonJS',
      'src/a.js',
      'module.exports = { Vault, readSecret }\n',
      'readSecret',
      'fetchSecret',
      'Call `readSecret(name)`.',
    ],
    [
      'a method of a prototype',
      'src/a.js',
      'Vault.prototype.readSecret = function (name) {}\n',
      'readSecret',
      'fetchSecret',
      '#### .readSecret(name)',
    ],
    [
      'an option that code only reads',
      'src/a.js',
      'if (pattern.fromArgs) run(pattern)\n',
      'fromArgs',
      'globArgs',
      '- **`fromArgs`**: arguments of the pattern.',
    ],
    [
      'an event with a plain name',
      'src/a.js',
      "server.emit('request-error', error)\n",
      'request-error',
      'request-failed',
      "Listen to `'request-error'`.",
    ],
    [
      'a type whose name is that of a variable as well',
      'src/a.ts',
      'export class Option {}\nconst option = new Option()\n',
      'Option',
      'Flag',
      'Pass an `Option`.',
    ],
    [
      'a type whose file keeps the name',
      'src/a.ts',
      "import { RetryHandler } from './retry-handler'\nexport class RetryHandler {}\n",
      'RetryHandler',
      'RepeatHandler',
      'Use `RetryHandler`.',
    ],
    [
      'a default of a plain name',
      'src/a.ts',
      'export function run({ parallel = false }) {}\n',
      'false',
      'true',
      '## `parallel`\n\nDefault: `false`',
    ],
    [
      'a default that viper sets',
      'conf.go',
      'viper.SetDefault("server.idle-timeout", 30)\n',
      '30',
      '45',
      '`server.idle-timeout` defaults to `30`.',
    ],
    [
      'a default of commander',
      'src/cli.ts',
      "program.option('-r, --retry-count <n>', 'how often', '3')\n",
      "'3'",
      "'5'",
      '`--retry-count` (default: `3`)',
    ],
    [
      'a default of clap',
      'src/main.rs',
      'struct Args {\n    #[arg(long, default_value_t = 10)]\n    max_rows: usize,\n}\n',
      '10',
      '20',
      '`--max-rows` (default: `10`)',
    ],
    [
      'a variant of Rust',
      'src/conf.rs',
      'pub enum Mode {\n    FastLane,\n}\n',
      'FastLane',
      'QuickLane',
      'Use `Mode::FastLane`.',
    ],
    [
      'a property of Spring',
      'src/main/java/V.java',
      'class V {\n  @Value("${acme.idle-timeout:30}")\n}\n',
      'acme.idle-timeout',
      'acme.timeout-idle',
      'Set `acme.idle-timeout`.',
    ],
    [
      'a default of Spring',
      'src/main/java/V.java',
      'class V {\n  @Value("${acme.idle-timeout:30}")\n}\n',
      ':30',
      ':60',
      '`acme.idle-timeout` defaults to `30`.',
    ],
    [
      'a method of a Ruby module',
      'lib/acme.rb',
      'module Acme\n  def self.open_vault(path)\n  end\nend\n',
      'open_vault',
      'unlock_vault',
      'Call `Acme.open_vault(path)`.',
    ],
    [
      'a default of a Ruby keyword',
      'lib/acme.rb',
      'def connect(host, retry_count: 3)\nend\n',
      '3',
      '5',
      '`retry_count` defaults to `3`.',
    ],
    [
      'a default of C#',
      'src/V.cs',
      'public class Options {\n    public int MaxRetries { get; set; } = 3;\n}\n',
      '= 3',
      '= 5',
      '`MaxRetries` defaults to `3`.',
    ],
    [
      'a field of a protocol buffer',
      'api/note.proto',
      'message Note {\n  string owner_id = 1;\n}\n',
      'owner_id',
      'author_id',
      'Send `owner_id`.',
    ],
    [
      'a call of a protocol buffer',
      'api/note.proto',
      'service Notes {\n  rpc ListNotes (Req) returns (Res);\n}\n',
      'ListNotes',
      'SearchNotes',
      'Call `ListNotes`.',
    ],
    [
      'a value of a union',
      'src/o.ts',
      "export type Mode = 'fast-lane' | 'slow-lane'\n",
      'fast-lane',
      'quick-lane',
      'Set `mode` to `fast-lane`.',
    ],
    [
      'a custom property of CSS',
      'src/b.css',
      ':root {\n  --acme-accent-color: red;\n}\n',
      'accent',
      'main',
      'Set `--acme-accent-color`.',
    ],
    [
      'a value of a chart',
      'charts/acme/values.yaml',
      'replicaCount: 1\npodLabelsExtra: {}\n',
      'podLabelsExtra',
      'extraPodLabels',
      'Set `podLabelsExtra`.',
    ],
    [
      'a default of a chart',
      'charts/acme/values.yaml',
      'replicaCount: 1\n',
      '1',
      '3',
      '`replicaCount` defaults to `1`.',
    ],
    [
      'an input of an action',
      'action.yml',
      'inputs:\n  working-folder:\n    default: dist\n',
      'working-folder',
      'folder-path',
      'Set `working-folder`.',
    ],
    [
      'a default in an object of one line',
      'src/a.ts',
      'export const defaults = { idleTimeout: 30 }',
      '30',
      '60',
      'The default value of `idleTimeout` is `30`.',
    ],
  ])('sees that %s changed', async (_, file, source, old, now, text) => {
    expect(await after(text, { [file]: source }, { [file]: source.replaceAll(old, now) })).toHaveLength(1)
  })

  it.each<[string, Files, Files, string]>([
    [
      'a variable that is put together from a prefix',
      { 'app/e.py': "K = os.environ['APP_API_KEY']\n" },
      {
        'app/e.py':
          "class S(BaseSettings):\n    model_config = SettingsConfigDict(env_prefix='APP_')\n    api_key: str\n",
      },
      'Set `APP_API_KEY`.',
    ],
    [
      'a path in an example of a message',
      { 'src/e.ts': 'export const hint = \'Expecting "/api" or ["/api", "/ajax"]\'\n' },
      { 'src/e.ts': "export const hint = 'Expecting a path'\n" },
      'Proxy `/api` requests.',
    ],
    [
      'a path of another website',
      { 'src/e.ts': "export const viewer = '/lighthouse/viewer'\n" },
      { 'src/e.ts': "export const viewer = '/viewer'\n" },
      'Open the [viewer](https://tools.example.org/lighthouse/viewer), or https://acme.github.io/lighthouse/viewer.',
    ],
    [
      'a function of another package that is required',
      { 'src/e.js': 'exports.createJsonClient = createJsonClient\n' },
      { 'src/e.js': 'exports.createServer = createServer\n' },
      "```js\nconst clients = require('other-clients')\nclients.createJsonClient({})\n```",
    ],
    [
      'a parameter that a sample names',
      { 'src/e.ts': 'export const serverSideOptions = 1\n' },
      { 'src/e.ts': 'export const other = 1\n' },
      '```js\nfunction build(schemas, serverSideOptions) {\n  use(serverSideOptions)\n}\n```',
    ],
    [
      'a file that has the name of the package',
      { 'package.json': JSON.stringify({ name: 'shine.js' }), 'lib/shine.js': 'run()\n' },
      { 'package.json': JSON.stringify({ name: 'shine.js' }) },
      'Install `shine.js`.',
    ],
    [
      'a member of a namespace that is no longer exported by itself',
      { 'src/e.ts': 'export function syncAll() {}\n' },
      { 'src/e.ts': 'function syncAll() {}\nGlob.syncAll = syncAll\n' },
      "```js\nconst glob = require('app')\nglob.syncAll()\n```",
    ],
    [
      'an option that has the name of a type',
      { 'src/e.ts': 'export type UserProperties = object\n' },
      { 'src/e.ts': 'export type Properties = object\n' },
      'Set `userProperties`.',
    ],
    [
      'a path below a router',
      { 'src/r.ts': "app.get('/api/v1/projects', show)\n" },
      { 'src/r.ts': "router.get('/projects', show)\napp.use('/api/v1', router)\n" },
      'Send `GET /api/v1/projects`.',
    ],
    [
      'OpenAPI in another notation',
      { 'openapi.yaml': 'openapi: 3.0.0\npaths:\n  /users/{id}:\n    get:\n      operationId: getUser\n' },
      { 'openapi.json': '{"openapi":"3.0.0","paths":{"/users/{name}":{"get":{"operationId":"getUser"}}}}' },
      'Send `GET /users/{id}`.',
    ],
    [
      'defaults on lines of their own',
      { 'src/a.ts': 'export const defaults = { idleTimeout: 30, maxRetries: 2 }\n' },
      { 'src/a.ts': 'export const defaults = {\n  idleTimeout: 30,\n  maxRetries: 2,\n}\n' },
      '`idleTimeout` defaults to `30`, `maxRetries` defaults to `2`.',
    ],
  ])('takes %s for the same', async (_, one, two, text) => {
    expect(await after(text, one, two)).toEqual([])
  })
})

describe('what the product has elsewhere is silent', () => {
  const at = async (before: Files, after: Files, page: string) => {
    await push('1', { 'package.json': manifest, ...before })
    await push('2', { 'package.json': manifest, ...after })
    await write({ 'docs/index.md': page })
    return list().map(({ subject }) => subject)
  }

  it('what is loaded by the name of its file', async () => {
    const plugin = { 'lib/plugins/retryStep.js': 'module.exports = () => {}' }
    const init = 'const list = {\n  retryStep: {},\n}\n'

    const found = await at({ ...plugin, 'lib/init.js': init }, { ...plugin, 'lib/init.js': '' }, '## retryStep')

    expect(found).toEqual([])
  })

  it('flags that are put together from a beginning', async () => {
    const old = 'const a = program.reporterJunitExport\n'

    const found = await at(
      { 'lib/cli.js': `${old}program.option('--reporter-junit-export <path>')` },
      { 'lib/cli.js': `readNested(argv, '--reporter-')` },
      'Pass `--reporter-junit-export`.',
    )

    expect(found).toEqual([])
  })

  it('aliases of flags', async () => {
    const found = await at(
      { 'lib/cli.js': `const help = '--preview'` },
      { 'lib/cli.js': `const flags = {\n  dryRun: {\n    aliases: ['preview'],\n  },\n}` },
      'Pass `--preview`.',
    )

    expect(found).toEqual([])
  })

  it('timers of the platform', async () => {
    const found = await at({ 'lib/timers.js': 'exports.setTimeout = mock' }, { 'lib/timers.js': '' }, '`setTimeout()`')

    expect(found).toEqual([])
  })

  it('source that moves to where it is not read', async () => {
    const source = Array.from({ length: 9 }, (_, index) => [`lib/part-${index}.js`, `exports.runPart${index} = 1`])

    const found = await at(Object.fromEntries(source), { 'dist/index.js': 'exports.all = 1' }, 'Call `runPart3()`.')

    expect(found).toEqual([])
  })

  it('paths of files on a machine', async () => {
    const found = await at({ 'lib/run.js': `run(__dirname + '/bin/app/run')` }, { 'lib/run.js': '' }, '`/bin/app/run`')

    expect(found).toEqual([])
  })

  it('files that readers are told to create', async () => {
    const found = await at({ 'notes.json': '{}' }, {}, 'Create a `notes.json` file. It is read from `notes.json`.')

    expect(found).toEqual([])
  })

  it('samples in types that are tested', async () => {
    const found = await at({ 'types/tests.ts': `mock('/v1/login').get('/v1/users')` }, {}, '`/v1/login`, `/v1/users`')

    expect(found).toEqual([])
  })
})

it('finds a path in brackets', async () => {
  await push('1', { 'package.json': manifest, 'src/app/start.ts': code })
  await push('2', { 'package.json': manifest, 'src/app/begin.ts': code })
  await write({ 'docs/index.md': 'It begins there (src/app/start.ts).' })

  expect(list()).toMatchObject([{ subject: 'src/app/start.ts', to: 'src/app/begin.ts' }])
})

it('is not certain that the end of a path is the file', async () => {
  await push('1', { 'package.json': manifest, 'lib/server/public/index.html': '1', 'src/a.ts': code })
  await push('2', { 'package.json': manifest, 'src/a.ts': code })
  await write({ 'docs/index.md': 'Write to `public/index.html`.' })

  expect(list()).toMatchObject([{ isCertain: false }])
})

describe('what a stranger wrote takes linear time', () => {
  const seconds = 5
  const measure = async (work: () => Promise<unknown>) => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000_000
  }
  const many = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, at) => line(at))

  it.each([
    ['blank lines after an import', `\`\`\`js\nimport${'\n'.repeat(20_000)}x\n\`\`\``],
    ['blanks after an import', `\`\`\`js\n${`import${' '.repeat(3_900)}x\n`.repeat(20)}\`\`\``],
    ['a long heading over many lines', `# ${'a '.repeat(50_000)}\n${'x\n'.repeat(50_000)}`],
    ['a flag of many parts', `default: ${'--a'.repeat(1_300)}\n`.repeat(20)],
    ['a long chain of properties', `\`\`\`js\n${`${'a.'.repeat(1_900)}\n`.repeat(40)}\`\`\``],
    ['brackets without end', `${'('.repeat(3_900)}\n`.repeat(40)],
  ])('on a page: %s', async (_, text) => {
    expect(await measure(() => write({ 'docs/index.md': text }))).toBeLessThan(seconds)
  })

  it.each(['src/a.ts', 'src/a.py'])('in %s: escaped quotes in a string without an end', async (path) => {
    expect(await measure(() => push('1', { [path]: '"\\'.repeat(200_000) }))).toBeLessThan(seconds)
  })

  it('in settings: blanks before a long value', async () => {
    expect(
      await measure(() => push('1', { 'values.yaml': `replicas: ${' '.repeat(20_000)}${'x'.repeat(300)}` })),
    ).toBeLessThan(seconds)
  })

  it('in an API description: schemas that refer to each other', async () => {
    const schemas = Object.fromEntries(
      many(60, (at) => `S${at}`).map((name, at) => {
        const properties = many(30, (field) => `field${at}x${field}`).map((field, to) => {
          return [field, { $ref: `#/components/schemas/S${(at * 7 + to) % 60}` }]
        })
        return [name, { properties: Object.fromEntries(properties) }]
      }),
    )
    const schema = { $ref: '#/components/schemas/S0' }
    const get = { responses: { 200: { content: { 'application/json': { schema } } } } }
    const described = { openapi: '3.1.0', paths: { '/notes': { get } }, components: { schemas } }
    expect(await measure(() => push('1', { 'openapi.json': JSON.stringify(described) }))).toBeLessThan(seconds)
  })

  it('in a push: thousands of names that were all renamed', async () => {
    const files = (end: string) =>
      Object.fromEntries(
        many(40, (at) => `src/part-${at}.ts`).map((path, at) => [
          path,
          many(30, (step) => `export function runPart${at}Step${step}${end}(rows: Row[]) {}`).join('\n'),
        ]),
      )
    await push('1', files('Old'))
    expect(await measure(() => push('2', files('New')))).toBeLessThan(seconds)
  })

  it('in a push: a parameter that thousands of functions lost', async () => {
    const functions = (list: string) => ({
      'a.py': many(1_500, (at) => `def make${at}(${list}):\n    pass`).join('\n'),
    })
    await write({ 'docs/index.md': many(3_000, (at) => `Call \`make${at}(user_name, b)\`.`).join('\n\n') })
    await push('1', functions('user_name, b'))
    await push('2', functions('b'))
    expect(await measure(() => Promise.resolve(findDrift(state)))).toBeLessThan(seconds)
  })
})

const python = `class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="ACME_")
    flush_interval: float = 2.5

@main.command("purge-dead")
@click.option("--older-than", default="7d")
def purge(older_than):
    pass

parser.add_argument(
    "--health-port",
    type=int,
    default=8081,
)
router = APIRouter(prefix="/v1")

@router.get("/topics/{topic}/offsets")
def offsets(topic):
    return os.getenv("ACME_HOME_REGION", "eu-1")
`
const go = `package acme

type TransferSpec struct {
	Secret string \`yaml:"access_key_file" env:"ACME_KEY_FILE" envDefault:"key.pem"\`
}

var ErrChecksumMismatch = errors.New("differs")

const (
	StateStalled = "stalled"
)

var verifyCmd = &cobra.Command{Use: "verify-checksums BUCKET"}

func init() {
	verifyCmd.Flags().DurationVarP(
		&stall,
		"stall-timeout",
		"s",
		90*time.Second,
		"silence",
	)
	mux.HandleFunc("DELETE /api/v1/transfers/{id}", cancel)
	mux.HandleFunc("GET /api/v1/transfers/{id}", read)
}
`
const rust = `#[derive(Subcommand)]
pub enum Command {
    RebuildIndex {
        #[arg(long, default_value_t = 2)]
        shard_count: usize,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Config {
    #[serde(default = "default_depth")]
    pub crawl_depth: u32,
}

fn default_depth() -> u32 {
    3
}

impl Default for Cache {
    fn default() -> Self {
        Self { ttl_seconds: 60 * 60 }
    }
}

pub enum FetchError {
    BodyTooLarge { limit: u64 },
}
`
const cargo = '[package]\nname = "acme"\n\n[features]\nsqlite-cache = []\n\n[[bin]]\nname = "acme-index"\n'
const schema = JSON.stringify({
  properties: { client: { properties: { overlay: { type: 'boolean', default: true } } } },
})
const api = `openapi: 3.1.0
servers: [{ url: 'https://x.example/v1' }]
paths:
  /payouts:
    get:
      operationId: listPayouts
      responses: { '200': { content: { application/json: { schema: { properties: { state: { enum: [awaiting_payment] } } } } } } }
`
const many: Files = {
  'package.json': JSON.stringify({ name: 'acme', bin: { 'acme-daemon': 'bin.js' } }),
  'acme/main.py': python,
  'acme.go': go,
  'src/main.rs': rust,
  'Cargo.toml': cargo,
  'src/schema.json': schema,
  'spec/acme.openapi.yaml': api,
  'src/upload.ts': "export const flags = {\n  'retry-count': Flags.integer({\n    default: 4,\n  }),\n}\n",
}

describe('findDrift in several languages', () => {
  it.each([
    ['a variable of pydantic', 'acme/main.py', 'flush_interval', 'flush_seconds', 'Set `ACME_FLUSH_INTERVAL`.'],
    ['the default of a variable', 'acme/main.py', '2.5', '5.0', '`ACME_FLUSH_INTERVAL` defaults to `2.5`.'],
    [
      'a variable beside those with its prefix',
      'acme/main.py',
      'ACME_HOME_REGION',
      'ACME_PLACE',
      'Set `ACME_HOME_REGION`.',
    ],
    ['a command of click', 'acme/main.py', 'purge-dead', 'prune-dead', 'Run `acme purge-dead` at night.'],
    ['a default of several lines', 'acme/main.py', '8081', '9090', '`--health-port` defaults to `8081`.'],
    ['a route below a prefix', 'acme/main.py', '/offsets', '/positions', 'Send `GET /v1/topics/{topic}/offsets`.'],
    ['a type of Go', 'acme.go', 'TransferSpec', 'TransferRequest', 'Fill in `TransferSpec`.'],
    ['a variable of Go', 'acme.go', 'ErrChecksumMismatch', 'ErrDiffers', '`ErrChecksumMismatch` is returned.'],
    ['a constant of a block', 'acme.go', 'StateStalled', 'StateStuck', 'It is `StateStalled`.'],
    ['a tag', 'acme.go', 'access_key_file', 'credentials', '```yaml\naccess_key_file: a\n```'],
    ['the default of a tag', 'acme.go', 'key.pem', 'key.der', '`ACME_KEY_FILE` defaults to `key.pem`.'],
    ['a command of cobra', 'acme.go', 'verify-checksums', 'check', '## acme verify-checksums'],
    ['a time', 'acme.go', '90*time.Second', '2*time.Minute', '`--stall-timeout` defaults to `1m30s`.'],
    ['one method of a path', 'acme.go', 'DELETE /api', 'PUT /api', 'Send `DELETE /api/v1/transfers/{id}`.'],
    ['a command of clap', 'src/main.rs', 'RebuildIndex', 'Reindex', '```sh\nacme rebuild-index\n```'],
    ['a default of clap', 'src/main.rs', '_t = 2', '_t = 4', '`--shard-count` defaults to `2`.'],
    ['a key of serde', 'src/main.rs', 'crawl_depth', 'max_hops', '```toml\ncrawl-depth = 5\n```'],
    ['a default from a function', 'src/main.rs', '    3\n', '    2\n', '`crawl-depth` defaults to `3`.'],
    ['a default of `impl Default`', 'src/main.rs', '60 * 60', '60', '`ttl_seconds` defaults to `3600`.'],
    ['a variant', 'src/main.rs', 'BodyTooLarge', 'PageTooLarge', 'It fails with `FetchError::BodyTooLarge`.'],
    [
      'a feature',
      'Cargo.toml',
      'sqlite-cache',
      'cache',
      '```toml\nacme = { version = "1", features = ["sqlite-cache"] }\n```',
    ],
    ['a program', 'Cargo.toml', 'acme-index', 'acme-reindex', 'Start `acme-index --all`.'],
    ['a program of npm', 'package.json', 'acme-daemon', 'acmed', 'Start `acme-daemon --all`.'],
    ['a nested key, as a flag', 'src/schema.json', '"overlay"', '"cover"', 'Pass `--client-overlay`.'],
    ['a state of an API', 'spec/acme.openapi.yaml', 'awaiting_payment', 'open', 'It is `awaiting_payment`.'],
    ['an operation', 'spec/acme.openapi.yaml', 'listPayouts', 'listTransfers', 'Call `listPayouts()`.'],
    ['a default of oclif', 'src/upload.ts', 'default: 4', 'default: 6', '`--retry-count` defaults to `4`.'],
  ])('sees the loss of %s', async (_, file, from, to, said) => {
    await push('one', many)
    await write(page(said))
    await push('two', { ...many, [file]: (many[file] ?? '').replaceAll(from, to) })

    expect(list()).toMatchObject([{ page: 'docs/guide.md' }])
  })

  it.each([
    [
      'a call on one line',
      'acme.go',
      /DurationVarP\([^)]*\)/,
      'DurationVar(&stall, "stall-timeout", 1500*time.Millisecond*60, "silence")',
    ],
    ['a constant for a flag', 'acme.go', /"stall-timeout"/, 'flagStall'],
    ['another router', 'acme.go', /mux.HandleFunc\("(DELETE|GET) /g, 'router.$1("'],
    ['a separator in a number', 'src/main.rs', /60 \* 60/, '3_600'],
    ['a variable for the host', 'spec/acme.openapi.yaml', 'https://x.example', '{host}'],
    [
      'another place of a prefix',
      'acme/main.py',
      'APIRouter(prefix="/v1")',
      'APIRouter()\napp.include_router(router, prefix="/v1")',
    ],
    ['a description of a field', 'acme/main.py', '= 2.5', '= Field(description="Seconds", default=2.5)'],
  ])('does not report %s', async (_, file, from, to) => {
    const all = [
      '`--stall-timeout` defaults to `90s`. Send `DELETE /api/v1/transfers/{id}` or `GET /v1/payouts`.',
      '`ttl_seconds` defaults to `3600`, see `GET /v1/topics/{topic}/offsets`.',
      '`ACME_FLUSH_INTERVAL` defaults to `2.5`.',
    ]
    const constant = from instanceof RegExp && to === 'flagStall' ? '\nconst flagStall = "stall-timeout"\n' : ''
    await push('one', many)
    await write(page(all.join('\n')))
    await push('two', { ...many, [file]: (many[file] ?? '').replace(from, to) + constant })

    expect(list()).toEqual([])
  })

  it('reports the command that was renamed, and not each of its flags', async () => {
    const cli = (name: string) => ({
      'src/cli.js': `program\n  .command('${name} <dir>')\n  .option('--max-depth <n>')\n`,
    })
    await push('one', cli('scan-tree'))
    await write(page('Run `acme scan-tree . --max-depth 3`.'))
    await push('two', cli('walk'))

    expect(list()).toMatchObject([{ subject: 'scan-tree' }])
  })
})

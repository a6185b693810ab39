import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import createIgnore from 'ignore'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { loadSettings } from '../../src/config/load-settings.ts'
import type { AgentJobResource } from '../../src/contract/agent-job.ts'
import { type ImageStep, readDockerfile } from '../support/read-dockerfile.ts'
import { copyUsualFirstStart } from '../support/start-docent.ts'
import { startThroughNpm } from '../support/start-through-npm.ts'
import { waitUntilReady } from '../support/wait-until-ready.ts'

// No container engine is needed: the steps of the image run in clean folders instead of layers.

const execute = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const minutes = 60_000
const { PATH = '' } = process.env
const assistantKey = `svc_dsc_${'k'.repeat(43)}`

let folder = ''
let build = ''
let imageSteps: ImageStep[] = []
let packed: PackedPackage

const read = (file: string) => readFile(join(root, file), 'utf8')
const textsOf = (steps: readonly ImageStep[], keyword: string) =>
  steps.filter((step) => step.keyword === keyword).map(({ text }) => text)
const runShell = (command: string, cwd: string) =>
  execute('/bin/sh', ['-c', command], { cwd, maxBuffer: 64 * 1024 ** 2 })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-packaging-'))
  build = join(folder, 'build')
  const [buildSteps = [], ...otherStages] = readDockerfile(await read('Dockerfile'))
  imageSteps = otherStages[0] ?? []
  await copyContext()
  const [install = '', make = '', prune = '', ...others] = textsOf(buildSteps, 'RUN')
  if (others.length > 0) throw new Error(`The image is built in more steps than are known here: ${others.join(', ')}`)
  await installByLinks(install)
  await runShell(make, build)
  packed = await packBuild()
  await runShell(prune, build)
}, 5 * minutes)

afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Does what the step would do: npm checks the lockfile and says what it would install, which is in the checkout
 * already, put there by the same command when the tests were started on it.
 */
async function installByLinks(command: string): Promise<void> {
  if (!command.startsWith('npm ci ')) throw new Error(`The first step does not install as locked: ${command}`)
  await runShell(`${command} --dry-run`, build)
  await linkModules(join(root, 'node_modules'), join(build, 'node_modules'))
  for (const ofTools of ['.cache', '.vite', '.vite-temp'])
    await rm(join(build, 'node_modules', ofTools), { recursive: true, force: true })
}

/** A copy by hard links where possible, except for the file that npm writes into. */
async function linkModules(from: string, to: string): Promise<void> {
  await execute('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true })
    await execute('cp', ['-a', from, to])
  })
  const lockfile = join(to, '.package-lock.json')
  await rm(lockfile)
  await copyFile(join(from, '.package-lock.json'), lockfile)
}

async function packBuild(): Promise<PackedPackage> {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  return packListSchema.parse(JSON.parse((await execute('npm', pack, { cwd: build })).stdout))[0]
}

/** What a builder gets to see: the files of the repository that are not ignored. */
async function copyContext(): Promise<void> {
  const { stdout } = await execute('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64 * 1024 ** 2,
  })
  const ignored = createIgnore().add(await read('.dockerignore'))
  for (const file of stdout.split('\0')) {
    if (file === '' || ignored.ignores(file)) continue
    await mkdir(dirname(join(build, file)), { recursive: true })
    // A file that is deleted but not committed is listed as well.
    await cp(join(root, file), join(build, file)).catch(() => undefined)
  }
}

describe('the package', () => {
  let home = ''
  let data = ''
  beforeAll(async () => {
    home = join(folder, 'home')
    await mkdir(home)
    await writeFile(join(home, 'package.json'), '{"private":true}')
    // What the package says that it needs is taken from here; for anything else npm would have to ask the registry.
    await linkModules(join(build, 'node_modules'), join(home, 'node_modules'))
    const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund']
    await execute('npm', [...install, join(folder, packed.filename)], { cwd: home })
  }, 5 * minutes)
  beforeEach(async () => {
    data = await mkdtemp(join(folder, 'data-'))
  })

  it(
    'holds what runs, and starts, answers and edits where nothing else is installed',
    async () => {
      const paths = packed.files.map(({ path }) => path)
      expect(paths).toEqual(expect.arrayContaining(['bin/docent.js', 'dist/cli/main.js', 'docs/docs.json', 'LICENSE']))
      // Nothing imports it.
      expect(paths).toContain('dist/git/spawner/spawner-process.js')
      expect(paths.some((path) => path.startsWith('web/dashboard/dist/'))).toBe(true)
      expect(paths).toEqual(expect.arrayContaining(['web/widget/dist/widget.js.gz', 'web/widget/dist/panel.js.gz']))
      expect(paths.filter((path) => /\.tsx?$|\.test\.|\.conformance\.|^(?:src|test|bench)\//.test(path))).toEqual([])
      await useProduct(join(home, 'node_modules/.bin/docent'), { cwd: home, data })
    },
    5 * minutes,
  )

  it('has its program in Latin-1, which takes half of the memory', async () => {
    const scripts = packed.files.map(({ path }) => path).filter((path) => /^dist\/.*\.js$/.test(path))
    const texts = await Promise.all(scripts.map((path) => readFile(join(build, path), 'utf8')))

    expect(scripts.length).toBeGreaterThan(100)
    expect(scripts.filter((_, place) => /[^\0-\xff]/.test(texts[place] ?? ''))).toEqual([])
  })

  it('tells how its commands are run', async () => {
    const env = { ...process.env, DOCENT_DATA: join(data, 'none') }
    const list = execute('npx', ['docent', 'key', 'list'], { cwd: home, env })

    await expect(list).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('npx docent start') })
    expect(await readdir(data)).toEqual([])
  })

  // What reaches run.js itself is told in stop-signals.test.ts. npm passes SIGINT on to the shell alone, and dash waits for its
  // command to end: nothing else ever learns of it.
  it.skipIf(process.platform !== 'linux').each([
    ['npx', 'SIGTERM'],
    ['npx', 'SIGHUP'],
    ['the shell', 'SIGTERM'],
  ] as const)(
    'stops gracefully through npx when %s gets %s, and leaves nothing behind',
    async (target, signal) => {
      await copyUsualFirstStart(data)
      const started = await startThroughNpm({ command: ['npx', 'docent', 'start'], cwd: home, dataFolder: data })
      // Some shells are replaced by their command.
      const [, next] = started.listProcesses()

      process.kill((target === 'npx' ? started.child.pid : next?.id) ?? 0, signal)

      await started.untilGone()
      expect(started.stderr()).toContain('server-stopped')
    },
    minutes,
  )

  it.skipIf(process.getuid?.() !== 0)(
    'of root runs for a user without a home whose Node is too old, on another one of the machine',
    async () => {
      const nobody = 65_534
      const bin = join(folder, 'bin')
      await mkdir(bin)
      await copyFile(process.execPath, join(bin, 'node'))
      await writeFile(join(bin, 'old.mjs'), pretendOld)
      for (const path of [folder, data, home]) await chmod(path, 0o755)
      await chown(data, nobody, nobody)
      const before = await listFiles(join(home, 'node_modules/docent'))

      const started = await startThroughNpm({
        command: [join(bin, 'node'), '--import', join(bin, 'old.mjs'), 'node_modules/docent/bin/docent.js', 'start'],
        cwd: home,
        dataFolder: data,
        env: { PATH: [bin, '/usr/bin', '/bin'].join(delimiter) },
        user: nobody,
      })
      started.child.kill('SIGTERM')

      expect(await started.exit).toEqual([0, null])
      expect(started.stderr()).not.toContain('EACCES')
      expect(await listFiles(join(home, 'node_modules/docent'))).toBe(before)
    },
    minutes,
  )
})

/** Preloaded: has the scripts take the Node that runs them for one of Debian. */
const pretendOld = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.19.1' } })`

describe('the image', () => {
  it('installs git and runs as a user without rights', () => {
    const install = textsOf(imageSteps, 'RUN').find((command) => command.includes('apt-get install'))

    expect(install).toMatch(/ git\b/)
    expect(textsOf(imageSteps, 'USER')).toEqual(['node'])
    expect(imageSteps.map(({ keyword }) => keyword).lastIndexOf('RUN')).toBeLessThan(
      imageSteps.map(({ keyword }) => keyword).indexOf('USER'),
    )
  })

  it(
    'holds all that runs it, and writes only to the data folder',
    async () => {
      const app = join(folder, 'app')
      await mkdir(app)
      for (const copy of textsOf(imageSteps, 'COPY')) await copyIntoImage(copy, app)
      const before = await listFiles(app)
      const [program = '', ...args] = readList(textsOf(imageSteps, 'ENTRYPOINT')[0])

      expect(readList(textsOf(imageSteps, 'CMD')[0])).toEqual(['start'])
      expect(await readdir(join(app, 'node_modules'))).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:vitest|vite|typescript)$/)]),
      )
      await useProduct(program, { args, cwd: app, data: join(folder, 'volume') }, async (url) => {
        const [check = '', ...checkArgs] = readList(textsOf(imageSteps, 'HEALTHCHECK')[0]?.replace(/^.*?CMD /, ''))
        await execute(check, checkArgs, { env: { PATH, PORT: new URL(url).port } })
      })
      expect(await listFiles(app)).toEqual(before)
    },
    5 * minutes,
  )
})

describe('the compose file', () => {
  it('names commands, settings and files that there are', async () => {
    const compose = composeSchema.parse(parseYaml(await read('compose.yaml'), { merge: true }))
    const { serve, work, proxy } = compose.services
    const settings: Record<string, string> = {}
    for (const [name, value] of Object.entries(serve?.environment ?? {}))
      settings[name.replace(/_FILE$/, '')] = name.startsWith('DATABASE_URL')
        ? 'postgres://database/docent'
        : value.replace(/\$\{\w+:-(.*?)\}/g, '$1').padEnd(32, 'x')
    settings['DOCENT_TRUST_PROXY'] = '1'

    expect(() => loadSettings({ env: settings })).not.toThrow()
    expect([serve?.command, work?.command]).toEqual([['serve'], ['work']])
    for (const service of [serve, work]) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
      for (const secret of service?.secrets ?? []) expect(compose.secrets).toHaveProperty(secret)
    }
    const mounted = proxy?.volumes?.find((volume) => volume.startsWith('./'))?.split(':')[0] ?? ''
    expect(await read(mounted)).toContain('flush_interval -1')
  })
})

const packedSchema = z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })
const packListSchema = z.tuple([packedSchema])
type PackedPackage = z.infer<typeof packedSchema>

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).optional(),
      secrets: z.array(z.string()).optional(),
      volumes: z.array(z.string()).optional(),
    }),
  ),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
})

/** `--from=build SOURCE… TARGET`, between the folders that represent the stages; moved, because the first is not used again. */
async function copyIntoImage(text: string, app: string): Promise<void> {
  const names = text.split(/\s+/).filter((word) => !word.startsWith('--'))
  const target = names.pop() ?? ''
  for (const name of names) {
    const to = target === './' ? join(app, basename(name)) : join(app, target)
    await mkdir(dirname(to), { recursive: true })
    await rename(join(build, name.replace(/^\/build\//, '')), to)
  }
}

function readList(text: string | undefined): string[] {
  return z.array(z.string()).parse(JSON.parse(text ?? ''))
}

/** Name, size and time of every file below a folder. */
async function listFiles(of: string): Promise<string> {
  return (await execute('find', ['.', '-type', 'f', '-printf', '%p %s %T@\\n'], { cwd: of, maxBuffer: 1024 ** 3 }))
    .stdout
}

interface Installed {
  /** Before the name of the command. */
  args?: readonly string[]
  cwd: string
  data: string
}

/** Starts the product and uses each half of it once, then stops it as a service manager does. */
async function useProduct(
  program: string,
  { args = [], cwd, data }: Installed,
  more: (url: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const env = { PATH, HOME: data, DOCENT_DATA: data, DOCENT_ASSISTANT_KEY: assistantKey, PORT: '0' }
  const server = spawn(program, [...args, 'start'], { cwd, env, stdio: 'ignore' })
  const ended = once(server, 'exit')
  try {
    const url = await findReady(data)
    const command = async (...words: string[]) => (await execute(program, [...args, ...words], { cwd, env })).stdout

    expect(await command('ask', '--key', assistantKey, 'How do I add a site?')).toContain('/sites/docs/guides/sites')
    await command('job', 'create', '--watch', 'Replace "answers questions" with "answers" on the page index')
    const [job] = JSON.parse(await command('job', 'list', '--json')) as AgentJobResource[]
    expect(job).toMatchObject({ status: 'completed', prLink: expect.stringContaining(url) })
    for (const path of ['/sites/docs', '/dashboard']) {
      const page = await fetch(url + path)
      expect([path, page.status, (await page.text()).includes('<html')]).toEqual([path, 200, true])
    }
    await more(url)
  } finally {
    server.kill('SIGTERM')
  }
  await ended
}

/** The address of the server that uses a data folder, once it can answer. */
async function findReady(dataFolder: string): Promise<string> {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    await wait(100)
    const text = await readFile(join(dataFolder, 'server.json'), 'utf8').catch(() => null)
    if (text === null) continue
    const { url } = z.object({ url: z.string() }).parse(JSON.parse(text))
    await waitUntilReady(url)
    return url
  }
  throw new Error('The product did not start within two minutes.')
}

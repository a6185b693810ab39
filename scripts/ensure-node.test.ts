import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ensureNode } from './ensure-node.js'
import { listNodeFolders } from './find-node.js'

// A Node that is too old, with what services and packages often lack: a home, a folder of the program that can be written
// to, a Node that will do, npm. Programs are scripts; a file in place of a folder is what even root cannot write into.

const checkout = resolve(import.meta.dirname, '..')
const pinned = `24.21.0/node_modules/node-${process.platform}-${process.arch}/bin/node`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-node-'))
  await writeFile(join(folder, 'file'), '')
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

async function writeProgram(path: string, script: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
}

const writeNode = (path: string, version: string) => writeProgram(path, `echo v${version}`)

/** An npm that installs a Node which ends so. */
async function writeNpm(exitCode = 0): Promise<void> {
  const node = pinned.slice('24.21.0/'.length)
  const steps = [`mkdir -p "$(dirname ${node})"`, `printf '#!/bin/sh\\nexit ${exitCode}\\n' > ${node}`]
  await writeProgram(join(folder, 'bin', 'npm'), [...steps, `chmod 755 ${node}`].join('\n'))
}

interface Situation {
  /** Where the program lies. */
  root: string
  env?: Record<string, string>
  home?: string
  /** Folders that are searched. */
  nodes?: string[]
}

function ensure({ root, env = {}, home = join(folder, 'file'), nodes = [] }: Situation) {
  const PATH = [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter)
  return ensureNode(root, { version: '18.19.1', env: { PATH, ...env }, home, nodeFolders: nodes })
}

async function makePackage(): Promise<string> {
  const root = join(folder, 'package')
  await mkdir(join(root, 'runtime'), { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    await copyFile(join(checkout, 'runtime', name), join(root, 'runtime', name))
  }
  return root
}

/** One whose folder nobody can write to. */
async function makeReadOnlyPackage(): Promise<string> {
  const root = await makePackage()
  await writeFile(join(root, '.node'), 'A file, where the folder would be.')
  return root
}

it('goes on with a Node elsewhere on the machine that will do, the first one in the order of the folders', async () => {
  await writeNode(join(folder, 'old', 'node'), '20.20.2')
  await writeNode(join(folder, 'new', 'node'), '22.18.0')
  await writeNode(join(folder, 'newer', 'node'), '24.1.0')
  const nodes = ['none', 'old', 'new', 'newer'].map((name) => join(folder, name))

  expect(await ensure({ root: await makeReadOnlyPackage(), nodes })).toBe(join(folder, 'new', 'node'))
})

it('looks on the PATH and where version managers install, newest first', async () => {
  for (const version of ['v20.1.0', 'v22.20.0', 'v9.1.0']) {
    await mkdir(join(folder, '.nvm/versions/node', version), { recursive: true })
  }

  const folders = listNodeFolders({ PATH: `/opt/a${delimiter}relative${delimiter}/opt/b` }, folder)

  expect(folders.slice(0, 2)).toEqual(['/opt/a', '/opt/b'])
  expect(folders).not.toContain('relative')
  expect(folders.filter((path) => path.includes('.nvm'))).toEqual(
    ['v22.20.0', 'v20.1.0', 'v9.1.0'].map((version) => join(folder, '.nvm/versions/node', version, 'bin')),
  )
})

it('fetches Node beside the program where it can, for everybody to run', async () => {
  await writeNpm()
  const root = await makePackage()

  const node = await ensure({ root })

  expect(node).toBe(join(root, '.node', pinned))
  expect((await stat(join(root, '.node', '24.21.0'))).mode & 0o777).toBe(0o755)
  expect(await readdir(join(root, '.node'))).toEqual(['24.21.0'])
})

it('fetches Node into the cache of the user, else into the data folder, once, and shows neither to others', async () => {
  await writeNpm()
  const root = await makeReadOnlyPackage()
  const data = join(folder, 'data')

  const inData = await ensure({ root, env: { DOCENT_DATA: data } })
  await rm(join(folder, 'bin'), { recursive: true })
  const again = await ensure({ root, env: { DOCENT_DATA: data } })
  await writeNpm()
  const inCache = await ensure({ root, home: join(folder, 'home') })

  expect([inData, again]).toEqual([join(data, '.node', pinned), join(data, '.node', pinned)])
  expect(inCache).toBe(join(folder, 'home/.cache/docent/node', pinned))
  expect((await stat(data)).mode & 0o777).toBe(0o700)
})

it('goes on to the next place where programs cannot be run', async () => {
  const root = await makePackage()
  await writeNpm(126)

  await expect(ensure({ root, env: { DOCENT_DATA: join(folder, 'data') } })).rejects.toThrow(/install Node 24/)

  expect(await readdir(join(root, '.node'))).toEqual([])
  expect(await readdir(join(folder, 'data', '.node'))).toEqual([])
})

it.each([
  [
    'nothing can be written to',
    false,
    /^Docent needs Node 22\.18 or newer, and this is Node 18\.19\.1\. .*install Node 24/,
  ],
  [
    'npm is missing or fails',
    true,
    /^Docent needs Node 22\.18 or newer, .*Downloading a newer one failed.*install Node 24/,
  ],
])('says what to do in a sentence where %s', async (_, isWritable, sentence) => {
  const root = await makeReadOnlyPackage()
  await writeProgram(join(folder, 'bin', 'npm'), 'exit 1')

  await expect(ensure({ root, env: isWritable ? { DOCENT_DATA: join(folder, 'data') } : {} })).rejects.toThrow(sentence)

  expect(await readdir(join(folder, 'data', '.node')).catch(() => [])).toEqual([])
})

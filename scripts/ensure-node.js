import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { findNode, listNodeFolders } from './find-node.js'
import { installAsLocked } from './install-as-locked.js'

/** The first Node that runs TypeScript and `node:sqlite` without flags. */
const minimum = [22, 18]

/**
 * The path of a Node that can run Docent: the one running this script if it is new enough, else one downloaded earlier or
 * installed elsewhere on the machine. Otherwise downloads the platform's Node package from the package registry, once, with
 * the version and integrity pinned in `runtime/package-lock.json` and without install scripts.
 *
 * @param {string} root The folder of the checkout or package, which the user may not be allowed to write to.
 * @param {import('./ensure-node.d.ts').Host} host
 * @returns {Promise<string>} An absolute path.
 * @throws {Error} If no Node can be found, with a sentence for the user.
 */
export async function ensureNode(root, host = readHost()) {
  if (isNewEnough(host.version)) return process.execPath

  const pinned = readPinned(root)
  const places = listPlaces(root, host)
  const fetched = pinned === null ? [] : places.map((place) => nodeWithin(place, pinned))
  const found = fetched.find((node) => runsHere(node)) ?? findNode(host.nodeFolders, isNewEnough)
  if (found !== undefined) return found
  if (pinned === null) {
    throw needOf(host, `There is no Node package for ${process.platform} on ${process.arch}`)
  }
  return fetchIntoFirst(places, { root, pinned, host })
}

function readHost() {
  const { env } = process
  const home = homedir()
  return { version: process.versions.node, env, home, nodeFolders: listNodeFolders(env, home) }
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1])
}

function needOf({ version }, reason) {
  return new Error(
    `Docent needs Node ${minimum.join('.')} or newer, and this is Node ${version}. ${reason}: install Node 24 from nodejs.org, or put it on the PATH, and try again.`,
  )
}

/** @returns Null on a platform that has no package of Node. */
function readPinned(root) {
  const name = `node-${process.platform}-${process.arch}`
  const lock = JSON.parse(readFileSync(join(root, 'runtime', 'package-lock.json'), 'utf8'))
  const pinned = lock.packages[`node_modules/${name}`]
  return pinned ? { version: pinned.version, name } : null
}

/**
 * Folders for a downloaded Node, best first. A package installed by root is read-only for a service's user, who often has
 * no home but always a data folder.
 */
function listPlaces(root, { env, home }) {
  const { XDG_CACHE_HOME: cache, DOCENT_DATA: data } = env
  const userCache = cache || join(home, '.cache')
  return [join(root, '.node'), join(userCache, 'docent', 'node'), ...(data ? [join(resolve(data), '.node')] : [])]
}

function nodeWithin(place, { version, name }) {
  return join(place, version, 'node_modules', name, 'bin', 'node')
}

/** The file system may be mounted noexec. */
function runsHere(node) {
  return existsSync(node) && spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0
}

/** Installs into the first place that is writable and allows programs to run. */
async function fetchIntoFirst(places, { root, pinned, host }) {
  for (const place of places) {
    if (!makeFolder(place, root)) continue
    console.error(`Node ${host.version} is too old for Docent: downloading Node ${pinned.version} into ${place}, once.`)
    await fetchNode(place, { root, pinned, host })
    const node = nodeWithin(place, pinned)
    if (runsHere(node)) return node
    rmSync(join(place, pinned.version), { recursive: true, force: true })
  }
  throw needOf(host, `No newer one could be downloaded to and run in any of ${places.join(', ')}`)
}

/**
 * Other users may run a Node beside the program. A data folder created here is private to its user.
 *
 * @returns Whether the folder can be written to now.
 */
function makeFolder(folder, root) {
  try {
    mkdirSync(folder, { recursive: true, mode: folder === join(root, '.node') ? 0o755 : 0o700 })
  } catch {
    return false
  }
  return isWritable(folder)
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Installs beside the place and renames, so that a second script started at the same time never sees half of it. */
async function fetchNode(place, { root, pinned, host }) {
  const folder = join(place, pinned.version)
  const staging = mkdtempSync(join(place, 'staging-'))
  chmodSync(staging, 0o755)
  // npm would keep its cache and logs in the home, which users of services often lack.
  const cache = join(staging, 'cache')
  const env = isWritable(host.home) ? host.env : { ...host.env, npm_config_cache: cache }
  try {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, 'runtime', file), join(staging, file))
    if (!(await installAsLocked(staging, { env }))) {
      throw needOf(host, 'Downloading a newer one failed; see any npm message above')
    }
    rmSync(cache, { recursive: true, force: true })
    if (!existsSync(folder)) renameSync(staging, folder)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

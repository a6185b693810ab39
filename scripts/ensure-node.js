import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The first Node that runs TypeScript and `node:sqlite` without flags. */
const minimum = [22, 18]

/**
 * The path of a Node that can run Docent: the one that runs this script, or, where that is too old, the platform's
 * package of Node from the package registry, fetched once into `.node/` with the version and integrity that
 * `runtime/package-lock.json` pins and with install scripts off.
 *
 * @param {string} root The folder of the checkout.
 * @returns {Promise<string>} An absolute path.
 * @throws {Error} On a platform that has no such package, with the sentence to show.
 */
export async function ensureNode(root) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > minimum[0] || (major === minimum[0] && minor >= minimum[1])) return process.execPath

  const { version, name } = pinnedNode(root)
  const folder = join(root, '.node', version)
  const node = join(folder, 'node_modules', name, 'bin', 'node')
  if (!existsSync(node)) {
    console.error(
      `Node ${process.versions.node} is too old for Docent: fetching Node ${version} into .node/ and going on with it.`,
    )
    fetchNode(root, folder)
  }
  return node
}

function pinnedNode(root) {
  const name = `node-${process.platform}-${process.arch}`
  const lock = JSON.parse(readFileSync(join(root, 'runtime', 'package-lock.json'), 'utf8'))
  const pinned = lock.packages[`node_modules/${name}`]
  if (!pinned) {
    throw new Error(
      `Docent needs Node ${minimum.join('.')} or newer and this is Node ${process.versions.node}. ` +
        `There is no package of Node for ${process.platform} on ${process.arch}: install Node 24 from nodejs.org and try again.`,
    )
  }
  return { version: pinned.version, name }
}

/** Installs beside the place and renames, so that a second script started at the same time never sees half of it. */
function fetchNode(root, folder) {
  mkdirSync(join(root, '.node'), { recursive: true })
  const staging = mkdtempSync(join(root, '.node', 'staging-'))
  try {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, 'runtime', file), join(staging, file))
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: staging,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (npm.status !== 0) throw new Error('Fetching Node failed: see the message of npm above, and try again.')
    if (!existsSync(folder)) renameSync(staging, folder)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

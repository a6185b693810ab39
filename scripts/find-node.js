import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/**
 * Folders that may contain a `node` program: the PATH, and well-known ones that are often missing from a service's PATH.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} home
 * @returns {string[]}
 */
export function listNodeFolders(env, home) {
  const { PATH = '', NVM_DIR: nvm = join(home, '.nvm'), FNM_DIR: fnm = join(home, '.local', 'share', 'fnm') } = env
  return [
    ...PATH.split(delimiter).filter(isAbsolute),
    '/usr/local/bin',
    '/usr/bin',
    '/opt/homebrew/bin',
    '/opt/node/bin',
    '/usr/local/node/bin',
    '/snap/bin',
    ...listVersions(join(nvm, 'versions', 'node'), 'bin'),
    ...listVersions(join(fnm, 'node-versions'), 'installation/bin'),
    ...listVersions(join(home, '.volta', 'tools', 'image', 'node'), 'bin'),
  ]
}

/** One folder for each version that a version manager has installed, newest first. */
function listVersions(folder, below) {
  try {
    const versions = readdirSync(folder).sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    return versions.map((version) => join(folder, version, below))
  } catch {
    return []
  }
}

/**
 * The first Node in these folders that is new enough.
 *
 * @param {readonly string[]} folders
 * @param {(version: string) => boolean} isNewEnough Called with a version such as `24.21.0`.
 * @returns {string | undefined} An absolute path.
 */
export function findNode(folders, isNewEnough) {
  const programs = folders.map((folder) => join(folder, 'node')).filter((program) => existsSync(program))
  const distinct = [...new Map(programs.reverse().map((program) => [realpathSync(program), program])).values()]
  return distinct.reverse().find((program) => {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 5_000 })
    return status === 0 && isNewEnough(stdout.trim().replace(/^v/, ''))
  })
}

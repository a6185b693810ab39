import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'

/** Folders with a program `node`, besides those of the PATH, which services are often given without. */
function listWellKnown() {
  const home = homedir()
  const { NVM_DIR: nvm = join(home, '.nvm'), FNM_DIR: fnm = join(home, '.local', 'share', 'fnm') } = process.env
  return [
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

/** One folder for each version that a version manager has installed, newest first as far as names sort so. */
function listVersions(folder, below) {
  try {
    const versions = readdirSync(folder).sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    return versions.map((version) => join(folder, version, below))
  } catch {
    return []
  }
}

/**
 * Another Node on this machine that will do.
 *
 * @param {(version: string) => boolean} isNewEnough Told `24.21.0`.
 * @returns {string | undefined} An absolute path.
 */
export function findNode(isNewEnough) {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(isAbsolute), ...listWellKnown()]
  const programs = folders.map((folder) => join(folder, 'node')).filter((program) => existsSync(program))
  const tried = new Set()
  return programs.find((program) => {
    const real = realpathSync(program)
    if (tried.has(real)) return false
    tried.add(real)
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 5_000 })
    return status === 0 && isNewEnough(stdout.trim().replace(/^v/, ''))
  })
}

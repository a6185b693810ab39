import { runChild } from './run-child.js'

/** A signal has ended what ran: whoever sent it knows, so there is nothing to say. */
export class StoppedError extends Error {
  constructor(exitCode) {
    super('It was stopped.')
    this.exitCode = exitCode
  }
}

/**
 * Installs what the lockfile of a folder names, without running anything of it. npm prints its errors.
 *
 * @param {string} folder
 * @param {{ env: NodeJS.ProcessEnv, args?: readonly string[] }} options
 * @returns {Promise<boolean>} Whether it was installed.
 * @throws {StoppedError}
 */
export async function installAsLocked(folder, { env, args = [] }) {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const options = { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }
  // Without npm on the PATH there is nothing to install with.
  const status = await runChild(['npm', 'ci', '--ignore-scripts', ...quiet, ...args], options).catch(() => 1)
  if (status > 128) throw new StoppedError(status)
  return status === 0
}

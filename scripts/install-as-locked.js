import { runChild } from './run-child.js'

/** A signal ended the command. The sender knows, so there is nothing to print. */
export class StoppedError extends Error {
  constructor(exitCode) {
    super('It was stopped.')
    this.exitCode = exitCode
  }
}

/**
 * Installs the locked dependencies of a folder without running install scripts. npm prints its errors.
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

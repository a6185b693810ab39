import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Installs the dependencies exactly as locked, when they are missing or older than the lockfile.
 * The product alone needs no development dependencies, which are nine tenths of the bytes.
 *
 * @param {string} root The folder of the checkout.
 * @param {{ isProduct: boolean, env: NodeJS.ProcessEnv }} options
 */
export async function ensureDependencies(root, { isProduct, env }) {
  const hasDevelopment = existsSync(join(root, 'node_modules', 'vitest'))
  if (isCurrent(root) && (isProduct || hasDevelopment)) return

  const onlyProduct = isProduct && !hasDevelopment
  console.error(
    `Installing ${onlyProduct ? 'the dependencies' : 'the dependencies and development tools'} (once, about a minute) …`,
  )
  const args = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(onlyProduct ? ['--omit=dev'] : []),
  ]
  const npm = spawnSync('npm', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (npm.status !== 0) throw new Error('Installing failed: see the message of npm above, and try again.')
}

/** npm writes its hidden lockfile last, so an install that was cut off counts as missing. */
function isCurrent(root) {
  const installed = join(root, 'node_modules', '.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

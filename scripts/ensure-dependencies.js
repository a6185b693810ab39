import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { installAsLocked } from './install-as-locked.js'

/**
 * Installs the dependencies exactly as locked, when they are missing or older than the lockfile.
 * The product alone needs no development dependencies, which are nine tenths of the bytes.
 *
 * @param {string} root The folder of the checkout.
 * @param {{ isProduct: boolean, env: NodeJS.ProcessEnv }} options
 * @throws {Error} With a sentence for the user, if they cannot be installed.
 */
export async function ensureDependencies(root, { isProduct, env }) {
  const hasDevelopment = existsSync(join(root, 'node_modules', 'vitest'))
  if (isCurrent(root) && (isProduct || hasDevelopment)) return

  requireWritable(root)
  requireOwnFolder(root)
  const onlyProduct = isProduct && !hasDevelopment
  console.error(
    `Installing ${onlyProduct ? 'the dependencies' : 'the dependencies and development tools'} (once, about a minute) …`,
  )
  const isInstalled = await installAsLocked(root, { env, args: onlyProduct ? ['--omit=dev'] : [] })
  if (!isInstalled) throw new Error("Installing failed: see npm's message above, and try again.")
}

/** Without this, npm would print a stack trace. */
function requireWritable(root) {
  try {
    accessSync(root, constants.W_OK)
    if (existsSync(join(root, 'node_modules'))) accessSync(join(root, 'node_modules'), constants.W_OK)
  } catch {
    throw new Error(
      `The dependencies of Docent are missing or out of date, and this user cannot write to ${root}. Run "npm ci --omit=dev --ignore-scripts" there as the user who owns it.`,
    )
  }
}

/** npm empties the folder before it installs, and through a link that would be the folder of another checkout. */
function requireOwnFolder(root) {
  const folder = join(root, 'node_modules')
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return
  throw new Error(
    `The dependencies of Docent are missing or out of date, and ${folder} is a link, behind which they would replace what is there. Remove the link, and try again.`,
  )
}

/** npm writes its hidden lockfile last, so an install that was cut off counts as missing. */
function isCurrent(root) {
  const installed = join(root, 'node_modules', '.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const others = ['package-lock.json', 'scripts/narrow-text.ts', 'scripts/program-build.ts']

/**
 * Identifies the state of what the program is bundled from, by names, sizes and times: each start waits for this.
 *
 * @param {string} root The folder of the checkout.
 * @returns {string}
 */
export function stampProgram(root) {
  const stamp = createHash('sha256')
  const sources = readdirSync(join(root, 'src'), { recursive: true })
    .filter((name) => /(?<!\.test)\.m?ts$|\.mjs$/.test(name))
    .map((name) => join('src', name))
  for (const name of [...sources.sort(), ...others]) {
    const { size, mtimeMs } = statSync(join(root, name))
    stamp.update(`${name} ${size} ${mtimeMs}\n`)
  }
  return stamp.digest('base64url')
}

import { existsSync } from 'node:fs'

/**
 * How Docent is run: from sources through npm, as the binary of an installed package, or as the entry point of the
 * container image.
 *
 * @param moduleUrl URL of any module of the program.
 * @param hasSources A checkout has them, and neither the package nor the image.
 */
export function chooseCommandPrefix(moduleUrl: string, hasSources: boolean): string {
  if (hasSources) return 'npm run docent --'
  // A global package's command is on the PATH, and `npx` might fetch a stranger's package of that name.
  if (moduleUrl.includes('/lib/node_modules/docent/')) return 'docent'
  // In the image, the working directory is the program's own.
  return moduleUrl.includes('/node_modules/') ? 'npx docent' : 'node dist/cli/main.js'
}

/** Prefix of every command of this installation, such as `npx docent`. */
export const commandPrefix: string = chooseCommandPrefix(
  import.meta.url,
  existsSync(new URL('../../src', import.meta.url)),
)

/** A command line of this installation, such as `npx docent owner-link`. */
export function nameCommand(words: string): string {
  return `${commandPrefix} ${words}`
}

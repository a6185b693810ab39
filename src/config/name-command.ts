/**
 * How a command of Docent is run: a checkout runs its sources through npm, an installed package has a binary, and the
 * container image has neither.
 *
 * @param moduleUrl Of any module of the program.
 */
export function chooseCommandPrefix(moduleUrl: string): string {
  if (moduleUrl.endsWith('.ts')) return 'npm run docent --'
  // Where npm puts global packages. Their command is on the PATH, while npx may offer a stranger's package of this name.
  if (moduleUrl.includes('/lib/node_modules/docent/')) return 'docent'
  // In the image the working directory is that of the program.
  return moduleUrl.includes('/node_modules/') ? 'npx docent' : 'node dist/cli/main.js'
}

/** What every command line begins with here, such as `npx docent`. */
export const commandPrefix: string = chooseCommandPrefix(import.meta.url)

/** The command line that runs a command where this Docent is installed, such as `npx docent owner-link`. */
export function nameCommand(words: string): string {
  return `${commandPrefix} ${words}`
}

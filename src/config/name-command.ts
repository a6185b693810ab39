/**
 * How a command of Docent is run: a checkout runs its sources through npm, an installed package has a binary, and the
 * container image has neither.
 *
 * @param moduleUrl Of any module of the program.
 */
export function chooseCommandPrefix(moduleUrl: string): string {
  if (moduleUrl.endsWith('.ts')) return 'npm run docent --'
  // npm's folder for global packages. Their command is on the PATH, while npx may offer a stranger's package.
  if (moduleUrl.includes('/lib/node_modules/docent/')) return 'docent'
  // In the image the working directory is that of the program.
  return moduleUrl.includes('/node_modules/') ? 'npx docent' : 'node dist/cli/main.js'
}

/** Prefix of every command line here, such as `npx docent`. */
export const commandPrefix: string = chooseCommandPrefix(import.meta.url)

/** The command line for a command of this installation, such as `npx docent owner-link`. */
export function nameCommand(words: string): string {
  return `${commandPrefix} ${words}`
}

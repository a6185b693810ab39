import type { Command } from 'commander'
import type { Output } from '../output.ts'

/** Mounts `docent lint`. */
export function addLintCommand(program: Command, output: () => Output): void {
  program
    .command('lint')
    .description('find pages that contradict each other, and samples that cannot work')
    .argument('[folder]', 'contains the documentation', '.')
    .action(async (folder: string) => {
      const { lintPages } = await import('./lint-pages.ts')
      if (!(await lintPages(output(), folder))) process.exitCode = 1
    })
}

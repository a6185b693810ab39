import type { Command } from 'commander'
import type { Output } from '../output.ts'
import type { CheckTreeOptions } from './check-tree.ts'

/** Mounts `docent check`. */
export function addCheckCommand(program: Command, output: () => Output): void {
  program
    .command('check')
    .description('say what the changes of a working tree mean for readers: answers, links, anchors, pages')
    .argument('[folder]', 'contains the documentation', '.')
    .option(
      '--base <ref>',
      'compare with this commit, branch or tag, such as main or HEAD~2 (default: where the branch left main)',
    )
    .option('--question <text>', 'ask this too; repeatable', (text, all: string[]) => [...all, text], [])
    .action(async (folder: string, options: Omit<CheckTreeOptions, 'folder'>) => {
      const { checkTree } = await import('./check-tree.ts')
      if (!(await checkTree(output(), { folder, ...options }))) process.exitCode = 1
    })
}

import type { Command } from 'commander'
import type { Output } from '../output.ts'

export function addExportCommands(program: Command, output: () => Output): void {
  program
    .command('export')
    .description('write files for a site that is served elsewhere')
    .command('agents')
    .description('write llms.txt, the pages as Markdown, sitemaps, robots.txt, the skill and redirects as static files')
    .argument('<site>', 'slug of the site')
    .option('--out <folder>', 'where to write them', 'agent-files')
    .action(async (slug: string, options: { out: string }) => {
      const { exportAgentFiles } = await import('./export-agent-files.ts')
      return exportAgentFiles(output(), slug, options.out)
    })
}

import type { Command } from 'commander'
import type { GithubAppOptions } from './github-app.ts'
import type { Output } from './output.ts'

/** Mounts `docent github-app …`, whose parts are loaded when one of them is used. */
export function addGithubAppCommands(program: Command, output: () => Output): void {
  const app = program.command('github-app').description('make, list and remove Apps on GitHub')
  app
    .command('create')
    .description('have GitHub make an App in the browser, and store it')
    .option('--origin <url>', 'an Enterprise Server', 'https://github.com')
    .option('--organization <name>', 'whose App it is to be; the account that is signed in without it')
    .option('--name <name>', 'its name on GitHub', 'Docent')
    .option('--verified-commits', 'let GitHub make the commits of the agent, and sign them')
    .action(async (options: GithubAppOptions) => (await import('./github-app.ts')).createGithubApp(output(), options))
  app
    .command('list')
    .description('list the stored Apps')
    .action(async () => (await import('./github-app.ts')).listGithubApps(output()))
  app
    .command('remove')
    .description('remove a stored App; it stays on GitHub')
    .argument('<id>')
    .option('--yes', 'say that you mean it')
    .action(async (id: string, options: { yes?: boolean }) =>
      (await import('./github-app.ts')).removeGithubApp(output(), id, options),
    )
}

import type { Command } from 'commander'
import type { GithubAppOptions } from './github-app.ts'
import type { Output } from './output.ts'

/** Mounts `docent github-app …`; each command loads its code on use. */
export function addGithubAppCommands(program: Command, output: () => Output): void {
  const app = program.command('github-app').description('create, list and remove GitHub Apps')
  app
    .command('create')
    .description('create a GitHub App in the browser and store it')
    .option('--origin <url>', 'GitHub, or an Enterprise Server', 'https://github.com')
    .option('--organization <name>', 'the organization that will own the App (default: your account)')
    .option('--name <name>', 'name of the App on GitHub', 'Docent')
    .option('--verified-commits', "have GitHub create and sign the agent's commits")
    .action(async (options: GithubAppOptions) => (await import('./github-app.ts')).createGithubApp(output(), options))
  app
    .command('list')
    .description('list the stored Apps')
    .action(async () => (await import('./github-app.ts')).listGithubApps(output()))
  app
    .command('remove')
    .description('remove a stored App; it is not deleted on GitHub')
    .argument('<id>')
    .option('--yes', 'confirm the removal')
    .action(async (id: string, options: { yes?: boolean }) =>
      (await import('./github-app.ts')).removeGithubApp(output(), id, options),
    )
}

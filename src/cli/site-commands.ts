import type { Command } from 'commander'
import { listForges } from '../contract/code-hosts.ts'
import {
  addContextRepository,
  type ContextOptions,
  listContextRepositories,
  removeContextRepository,
} from './context-repository.ts'
import type { Output } from './output.ts'
import {
  addSite,
  changeSite,
  checkSite,
  listFindings,
  listSites,
  makeIdentitySecret,
  removeSite,
  showWebhook,
  type SiteOptions,
  syncSite,
} from './site.ts'

/** Collects an option that may be given several times. */
const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

/** Mounts `docent site …`. */
export function addSiteCommands(program: Command, output: () => Output): void {
  const site = program.command('site').description('add, list, sync and remove sites')
  withSiteOptions(site.command('add'))
    .description(
      'add a site from a folder, a git repository, the https address of one or that of a published site, and index it',
    )
    .argument('<path-or-url>')
    .option('--slug <slug>', 'its name in addresses; the name of the source without it')
    .option(
      '--follow',
      'read a folder or repository of this machine where it lies; without it, it is imported into the built-in host',
    )
    .action((location: string, options: SiteOptions & { slug?: string }) => addSite(output(), location, options))
  withSiteOptions(site.command('change'))
    .description('change a site; another source or token indexes it anew')
    .argument('<slug>')
    .option('--source <path-or-url>', 'another folder or repository')
    .action((slug: string, options: SiteOptions & { source?: string }) => changeSite(output(), slug, options))
  site
    .command('remove')
    .description('remove a site with its keys, index and conversations')
    .argument('<slug>')
    .option('--yes', 'do not ask')
    .action((slug: string, options: { yes?: boolean }) => removeSite(output(), slug, options))
  site
    .command('list')
    .description('list the sites')
    .action(() => listSites(output()))
  site
    .command('sync')
    .description('bring the index of a site up to date')
    .argument('<slug>')
    .action((slug: string) => syncSite(output(), slug))
  site
    .command('check')
    .description(`check what a site on ${listForges('or')} needs from its repository`)
    .argument('<slug>')
    .action((slug: string) => checkSite(output(), slug))
  site
    .command('webhook')
    .description('have the code host of a site tell of changes, and show what it needs for that')
    .argument('<slug>')
    .action((slug: string) => showWebhook(output(), slug))
  site
    .command('findings')
    .description('list what is wrong with the source of a site')
    .argument('<slug>')
    .action((slug: string) => listFindings(output(), slug))
  site
    .command('identity-secret')
    .description('make a new secret that signs the identities of readers')
    .argument('<slug>')
    .action((slug: string) => makeIdentitySecret(output(), slug))
  addContextCommands(site, output)
}

/** `docent site context …`: what the agent reads beside the repository of a site. */
function addContextCommands(site: Command, output: () => Output): void {
  const context = site.command('context').description('other repositories that the agent may read')
  context
    .command('add')
    .description('add a repository, such as that of the product; jobs read its files as @name/path')
    .argument('<slug>', 'the site')
    .argument('<name>')
    .argument(
      '<path-or-url>',
      'a git repository, its https address, or one of the built-in host such as default/product',
    )
    .option('--ref <ref>', 'branch or tag; the main branch without it')
    .option('--subdirectory <path>', 'the only folder that is read')
    .option('--token-file <file>', 'a file that holds a token for the repository; - for standard input')
    .option('--token-user <name>', 'the user name beside the token; x-access-token without it')
    .action((slug: string, name: string, location: string, options: ContextOptions) =>
      addContextRepository(output(), { slug, name, location }, options),
    )
  context
    .command('list')
    .description('list the context repositories of a site')
    .argument('<slug>')
    .action((slug: string) => listContextRepositories(output(), slug))
  context
    .command('remove')
    .description('remove a context repository')
    .argument('<slug>')
    .argument('<name>')
    .action((slug: string, name: string) => removeContextRepository(output(), slug, name))
}

function withSiteOptions(command: Command): Command {
  return command
    .option('--name <name>', 'its name for people')
    .option('--ref <ref>', 'branch, tag or full commit id; the main branch without it')
    .option('--subdirectory <path>', 'where the site lies within the source')
    .option('--as-folder', 'read the files of a working tree as they lie, uncommitted changes too; implies --follow')
    .option('--crawl', 'read the pages of a published site; without it, an address is asked whether it is a repository')
    .option('--url <url>', 'where readers find the site')
    .option('--hostname <name>', 'a host name that stands for the slug', collect)
    .option('--token-file <file>', 'a file that holds a token for the repository; - for standard input')
    .option('--token-user <name>', 'the user name beside the token; x-access-token without it')
}

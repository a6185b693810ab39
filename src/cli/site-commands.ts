import type { Command } from 'commander'
import { listForges } from '../contract/code-hosts.ts'
import {
  addContextRepository,
  type ContextOptions,
  listContextRepositories,
  removeContextRepository,
} from './context-repository.ts'
import type { Output } from './output.ts'
import { confirmSite, showSite } from './show-site.ts'
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
import { addSiteSettingsCommands } from './settings.ts'
import { collect } from './option-values.ts'

export function addSiteCommands(program: Command, output: () => Output): void {
  const site = program.command('site').description('add, list, sync and remove sites')
  withSiteOptions(site.command('add'))
    .description('add a site from a folder, a git repository or its URL, or the URL of a published site, and index it')
    .argument('<path-or-url>')
    .option('--slug <slug>', 'name of the site in URLs (default: from the source)')
    .option('--follow', 'read a local folder or repository in place (default: import it into the built-in host)')
    .action((location: string, options: SiteOptions & { slug?: string }) => addSite(output(), location, options))
  withSiteOptions(site.command('change'))
    .description('change a site; a new source or token reindexes it')
    .argument('<slug>')
    .option('--source <path-or-url>', 'new folder or repository')
    .action((slug: string, options: SiteOptions & { source?: string }) => changeSite(output(), slug, options))
  site
    .command('remove')
    .description('remove a site with its keys, index and conversations')
    .argument('<slug>')
    .option('--yes', 'skip the confirmation')
    .action((slug: string, options: { yes?: boolean }) => removeSite(output(), slug, options))
  site
    .command('show')
    .description('show what was read of a site, and how well it agrees with its source')
    .argument('<slug>')
    .action((slug: string) => showSite(output(), slug))
  site
    .command('confirm')
    .description('confirm the page addresses of a site that waits for it, so that it goes live')
    .argument('<slug>')
    .action((slug: string) => confirmSite(output(), slug))
  site
    .command('list')
    .description('list the sites')
    .action(() => listSites(output()))
  site
    .command('sync')
    .description('update the index of a site')
    .argument('<slug>')
    .action((slug: string) => syncSite(output(), slug))
  site
    .command('check')
    .description(`check the repository access of a site on ${listForges('or')}`)
    .argument('<slug>')
    .action((slug: string) => checkSite(output(), slug))
  site
    .command('webhook')
    .description('add a webhook to the repository of a site, and show its address and secret')
    .argument('<slug>')
    .action((slug: string) => showWebhook(output(), slug))
  site
    .command('findings')
    .description('list the problems in the source of a site')
    .argument('<slug>')
    .action((slug: string) => listFindings(output(), slug))
  site
    .command('identity-secret')
    .description('create a new secret for signing reader identities')
    .argument('<slug>')
    .action((slug: string) => makeIdentitySecret(output(), slug))
  addSiteSettingsCommands(site, output)
  addContextCommands(site, output)
}

/** `docent site context …`: what the agent reads beyond the site's own repository. */
function addContextCommands(site: Command, output: () => Output): void {
  const context = site.command('context').description('manage other repositories that the agent may read')
  context
    .command('add')
    .description("add a repository, such as the product's; jobs read its files as @name/path")
    .argument('<slug>', 'the site')
    .argument('<name>')
    .argument(
      '<path-or-url>',
      'a git repository, its URL, or a repository of the built-in host such as default/product',
    )
    .option('--ref <ref>', 'branch or tag (default: the main branch)')
    .option('--subdirectory <path>', 'the only folder to read')
    .option('--product', 'compare its changes with the pages: it is what the site documents')
    .option('--token-file <file>', 'file containing a token for the repository; - for standard input')
    .option('--token-user <name>', 'user name for the token (default: x-access-token)')
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
    .option('--name <name>', 'display name')
    .option('--ref <ref>', 'branch, tag or full commit id (default: the main branch)')
    .option('--subdirectory <path>', 'path of the site within the source')
    .option('--as-folder', 'read the working tree, including uncommitted changes; implies --follow')
    .option('--crawl', 'crawl a published site (default: detect whether the URL is a repository)')
    .option('--url <url>', 'public URL of the site')
    .option('--hostname <name>', 'a host name accepted in place of the slug; repeatable', collect)
    .option('--token-file <file>', 'file containing a token for the repository; - for standard input')
    .option('--token-user <name>', 'user name for the token (default: x-access-token)')
}

import { Zap } from 'lucide-react'
import type { Role } from '../../../../src/contract/accounts.ts'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { accountOperations } from '../../../../src/contract/operations/accounts.ts'
import { agentJobOperations } from '../../../../src/contract/operations/agent-jobs.ts'
import { automationOperations } from '../../../../src/contract/operations/automations.ts'
import { botOperations } from '../../../../src/contract/operations/bots.ts'
import { codeHostAppOperations } from '../../../../src/contract/operations/code-host-apps.ts'
import { contextRepositoryOperations } from '../../../../src/contract/operations/context-repositories.ts'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import type { Operation } from '../../../../src/contract/operations/operation.ts'
import { settingOperations } from '../../../../src/contract/operations/settings.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { suiteOperations } from '../../../../src/contract/operations/suite.ts'
import { webhookOperations } from '../../../../src/contract/operations/webhooks.ts'
import { type Command, labelSeparator } from './command.ts'
import { type CommandContext, paramsOf } from './page-commands.ts'
import { pressCommand } from './press-command.ts'
import { say } from '../../../words/say.ts'

/** Where the dashboard offers an operation. */
export interface PlacedAction {
  operation: Operation
  to: string
  search?: Record<string, string>
  /** Not the operation's summary: what only the OpenAPI document says is not part of the build. */
  label: string
  words: string
  /** Whether the page itself is the form. Otherwise a control on it has the operation's id as `data-command`. */
  isPage?: true
}

/** Who may do what, and the names of the controls, are the operations' own. */
export const placedActions: readonly PlacedAction[] = [
  {
    operation: siteOperations.createSite,
    to: '/$organization/new',
    label: say('Add a site'),
    words: say(
      'create new connect import crawl website docs documentation repository repo github folder second another project bring gitlab git upload markdown blog wiki zip',
    ),
    isPage: true,
  },
  {
    operation: siteOperations.syncSite,
    to: '/$organization/$domain',
    label: say('Sync now'),
    words: say(
      'refresh reload resync update reindex index rebuild pull latest fetch read again recrawl crawl publish content docs commits newest version',
    ),
  },
  {
    operation: siteOperations.deleteSite,
    to: '/$organization/$domain/settings',
    label: say('Delete this site'),
    words: say('remove destroy get rid drop docs documentation'),
  },
  {
    operation: botOperations.connectBot,
    to: '/$organization/$domain/settings',
    label: say('Connect a bot'),
    words: say('slack discord chat add channel integration teams answer answers in'),
  },
  {
    operation: contextRepositoryOperations.addContextRepository,
    to: '/$organization/$domain/settings',
    label: say('Add a context repository'),
    words: say('code source repo'),
  },
  {
    operation: suiteOperations.changeSuite,
    to: '/$organization/$domain/tests',
    label: say('Add a test'),
    words: say('new create question expected answer regression check golden suite save'),
  },
  {
    operation: keyOperations.createKey,
    to: '/$organization/keys',
    label: say('Create a key'),
    words: say(
      'new add make generate api token secret credential website server public issue credentials ci actions mobile app staging production backend read only',
    ),
  },
  {
    operation: agentJobOperations.createJob,
    to: '/$organization/jobs/new',
    label: say('Create a job'),
    words: say(
      'new start run agent ai ask edit write change docs documentation page task prompt fix typo correct improve rewrite update translate mistake guide section text broken links link feature describe explain tell what do intro paragraph spelling grammar have add missing',
    ),
    isPage: true,
  },
  {
    operation: automationOperations.createAutomation,
    to: '/$organization/automations',
    label: say('Create an automation'),
    words: say(
      'new add schedule recurring repeat cron weekly nightly daily monthly trigger every when run push automatically monday main changes',
    ),
  },
  {
    operation: accountOperations.createInvitation,
    to: '/$organization/members',
    label: say('Invite a member'),
    words: say(
      'add new user person people colleague teammate team coworker email join grant give access onboard someone marketing engineer',
    ),
  },
  {
    operation: accountOperations.changePassword,
    to: '/$organization/account',
    label: say('Change your password'),
    words: say('reset pw pwd forgot'),
  },
  {
    operation: webhookOperations.createWebhookEndpoint,
    to: '/$organization/settings',
    search: { view: 'webhooks' },
    label: say('Create a webhook endpoint'),
    words: say('new add'),
  },
  {
    operation: settingOperations.updateBrand,
    to: '/$organization/settings',
    search: { view: 'brand' },
    label: say('Upload a logo'),
    words: say('image picture brand icon'),
  },
  {
    operation: codeHostAppOperations.createCodeHostApp,
    to: '/$organization/settings',
    search: { view: 'code-hosts' },
    label: say('Add a GitHub App'),
    words: say('new create connect install repository repo'),
  },
]

/** A command for each action that the role may take; those on a site, once for each site. */
export function listActionCommands(context: CommandContext): Command[] {
  return placedActions
    .filter(({ operation }) => context.may(roleOf(operation)))
    .flatMap((action) => {
      const sites = action.to.includes('$domain') ? context.sites : [null]
      return sites.map((site) => toCommand(action, context, site))
    })
}

/** Every signed-in member has at least this role. */
function roleOf({ access }: Operation): Role {
  return access === 'owner' || access === 'editor' ? access : 'viewer'
}

function toCommand(action: PlacedAction, context: CommandContext, site: SiteResource | null): Command {
  const { operation, to, search = {}, label, words, isPage = false } = action
  return {
    id: ['action', operation.id, site?.id].join(' '),
    label: [...(site === null ? [] : [site.name]), label].join(labelSeparator),
    detail: say('Action'),
    words,
    ...(site !== null && { slug: site.slug }),
    icon: Zap,
    siteId: site?.id ?? null,
    run: async () => {
      await context.go({ to, params: paramsOf(context, site), search })
      if (!isPage) pressCommand(operation.id)
    },
  }
}

import {
  Activity,
  Book,
  Bot,
  ChartColumn,
  FileWarning,
  FlaskConical,
  GitPullRequest,
  KeyRound,
  Mail,
  House,
  MessageCircleQuestion,
  MessagesSquare,
  Radio,
  Repeat,
  ScrollText,
  Settings,
  TextSearch,
  Users,
} from 'lucide-react'
import type { SiteResource } from '../../../src/contract/admin.ts'
import { say } from '../../words/say.ts'

/** Where the work of every day is. After `g`, the key leads there. */
export const workPlaces = [
  { to: '/$organization', key: 'h', title: say('Home'), icon: House },
  { to: '/$organization/insights', key: 'i', title: say('Insights'), icon: ChartColumn },
  { to: '/$organization/jobs', key: 'j', title: say('Jobs'), icon: Bot },
  { to: '/$organization/pull-requests', key: 'p', title: say('Pull requests'), icon: GitPullRequest },
  { to: '/$organization/automations', key: 'a', title: say('Automations'), icon: Repeat },
] as const

/** Where an organization is set up. */
export const setupPlaces = [
  { to: '/$organization/keys', key: 'k', title: say('API keys'), icon: KeyRound },
  { to: '/$organization/members', key: 'm', title: say('Members'), icon: Users },
  { to: '/$organization/operations', key: 'o', title: say('Operations'), icon: Activity },
  { to: '/$organization/audit-log', key: 'l', title: say('Audit log'), icon: ScrollText },
  { to: '/$organization/settings', key: 's', title: say('Settings'), icon: Settings },
] as const

/** Pages of an organization, in the order of the navigation. */
export const organizationPlaces = [...workPlaces, ...setupPlaces]

/** Pages of a site. */
export const sitePlaces = [
  { to: '/$organization/$domain', title: say('Site'), icon: Book },
  { to: '/$organization/$domain/playground', title: say('Playground'), icon: MessageCircleQuestion },
  { to: '/$organization/$domain/live', title: say('Put it live'), icon: Radio },
  { to: '/$organization/$domain/search', title: say('Search'), icon: TextSearch },
  { to: '/$organization/$domain/conversations', title: say('Conversations'), icon: MessagesSquare },
  { to: '/$organization/$domain/messages', title: say('Messages'), icon: Mail },
  { to: '/$organization/$domain/insights', title: say('Insights'), icon: ChartColumn },
  { to: '/$organization/$domain/drift', title: say('Outdated content'), icon: FileWarning },
  { to: '/$organization/$domain/tests', title: say('Tests'), icon: FlaskConical },
  { to: '/$organization/$domain/jobs', title: say('Jobs'), icon: Bot },
  { to: '/$organization/$domain/settings', title: say('Settings'), icon: Settings },
] as const

/** Segments of the organization's own pages: a site with such a slug is addressed by its id. */
const ownWords: ReadonlySet<string> = new Set([
  'account',
  'audit-log',
  'automations',
  'components',
  'insights',
  'jobs',
  'keys',
  'members',
  'operations',
  'pull-requests',
  'settings',
])

/** The site's segment in dashboard addresses. */
export function siteWord({ id, slug }: Pick<SiteResource, 'id' | 'slug'>): string {
  return ownWords.has(slug) ? id : slug
}

export function findSite(sites: readonly SiteResource[] | undefined, word: string | undefined): SiteResource | null {
  return sites?.find((site) => siteWord(site) === word || site.id === word) ?? null
}

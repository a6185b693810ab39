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

/** Pages of an organization, in the order of the navigation. After `g`, the key leads there. */
export const organizationPlaces = [
  { to: '/$organization', key: 'h', title: 'Home', icon: House },
  { to: '/$organization/jobs', key: 'j', title: 'Jobs', icon: Bot },
  { to: '/$organization/pull-requests', key: 'p', title: 'Pull requests', icon: GitPullRequest },
  { to: '/$organization/automations', key: 'a', title: 'Automations', icon: Repeat },
  { to: '/$organization/keys', key: 'k', title: 'API keys', icon: KeyRound },
  { to: '/$organization/insights', key: 'i', title: 'Insights', icon: ChartColumn },
  { to: '/$organization/operations', key: 'o', title: 'Operations', icon: Activity },
  { to: '/$organization/members', key: 'm', title: 'Members', icon: Users },
  { to: '/$organization/audit-log', key: 'l', title: 'Audit log', icon: ScrollText },
  { to: '/$organization/settings', key: 's', title: 'Settings', icon: Settings },
] as const

/** Pages of a site. */
export const sitePlaces = [
  { to: '/$organization/$domain', title: 'Site', icon: Book },
  { to: '/$organization/$domain/playground', title: 'Playground', icon: MessageCircleQuestion },
  { to: '/$organization/$domain/live', title: 'Put it live', icon: Radio },
  { to: '/$organization/$domain/search', title: 'Search', icon: TextSearch },
  { to: '/$organization/$domain/conversations', title: 'Conversations', icon: MessagesSquare },
  { to: '/$organization/$domain/messages', title: 'Messages', icon: Mail },
  { to: '/$organization/$domain/insights', title: 'Insights', icon: ChartColumn },
  { to: '/$organization/$domain/drift', title: 'What became false', icon: FileWarning },
  { to: '/$organization/$domain/tests', title: 'Tests', icon: FlaskConical },
  { to: '/$organization/$domain/jobs', title: 'Jobs', icon: Bot },
  { to: '/$organization/$domain/settings', title: 'Settings', icon: Settings },
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

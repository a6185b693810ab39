import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  type RouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import { Skeleton } from '../ui/skeleton.tsx'
import { UnreachableError } from './api/api-error.ts'
import { setReachable } from './api/connection.ts'
import { sessionQuery } from './api/session.ts'
import { parseConversationFilter } from './pages/conversations/conversation-filter.ts'
import { parseSearchForm } from './pages/search-test/search-form.ts'
import { readJobSearch } from './pages/jobs/job-search.ts'
import { readPullRequestSearch } from './pages/pull-requests/pull-request-search.ts'
import { readAuditSearch } from './pages/audit-log/audit-search.ts'
import { readHomeSearch } from './pages/home/home-search.ts'
import { insightsSections, readInsightsSearch } from './pages/insights/insights-search.ts'
import { readSettingsSearch, settingsSections } from './pages/settings/settings-search.ts'
import { ErrorPage } from './shell/error-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import type { PageSection } from './shell/page-sections.ts'
import { Shell } from './shell/shell.tsx'
import { say } from '../words/say.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
  interface StaticDataRouteOption {
    /** Page name for the window title, the breadcrumbs and the command palette. A site's root page has none. */
    title?: string
    /** Other words that people use for the page, which the command palette finds it by. */
    words?: string
    sections?: readonly PageSection[]
    /** Its page of the documentation, below `docs/`. Every page for members has one. */
    guide?: string
  }
}

/**
 * A lazily loaded page. A failure to load is reported like an unreachable service, so that the router does not reload
 * the window.
 */
function lazyPage<Module extends Record<Name, RouteComponent>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      setReachable(false)
      throw new UnreachableError(error)
    }
  }, name)
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { returnTo?: string; error?: string } => ({
    ...(typeof search['returnTo'] === 'string' && { returnTo: search['returnTo'] }),
    ...(typeof search['error'] === 'string' && { error: search['error'] }),
  }),
  component: lazyPage(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const accept = createRoute({
  getParentRoute: () => root,
  path: '/accept',
  validateSearch: (search): { token: string } => ({
    token: typeof search['token'] === 'string' ? search['token'] : '',
  }),
  component: lazyPage(() => import('./pages/sign-in/accept-page.tsx'), 'AcceptPage'),
})

const sharedView = createRoute({
  getParentRoute: () => root,
  path: '/shared',
  validateSearch: (search): { token: string } => ({
    token: typeof search['token'] === 'string' ? search['token'] : '',
  }),
  component: lazyPage(() => import('./pages/shared-view/shared-view-page.tsx'), 'SharedViewPage'),
})

/** Pages for signed-in users. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.user === null) throw redirect({ to: '/sign-in', search: { returnTo: location.publicHref } })
    return { organization: session.organization }
  },
  component: Shell,
})

const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context }) => {
    throw redirect({ to: '/$organization', params: { organization: context.organization.id }, replace: true })
  },
})

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/$organization',
  beforeLoad: ({ context, params }) => {
    if (params.organization !== context.organization.id) throw notFound()
  },
})

const overview = createRoute({
  getParentRoute: () => organization,
  path: '/',
  staticData: {
    guide: 'guides/dashboard',
    title: say('Home'),
    words: say(
      'overview start page dashboard sites list needs attention todo activity doing going news summary glance everything broken wrong problem problems today first important urgent my site fire begin main welcome landing projects',
    ),
  },
  validateSearch: readHomeSearch,
  component: lazyPage(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

const keys = createRoute({
  getParentRoute: () => organization,
  path: '/keys',
  staticData: {
    guide: 'guides/keys',
    title: say('API keys'),
    words: say(
      'tokens secrets credentials access allowed origins cors revoke delete expire expiry rotate domains restrict limits quota cap monthly block abuse leaked disable deactivate uses used compromised stolen expired expires rotated visitor ip throttle throttled limited requests unauthorized denied raise',
    ),
  },
  component: lazyPage(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

const members = createRoute({
  getParentRoute: () => organization,
  path: '/members',
  staticData: {
    guide: 'guides/team',
    title: say('Members'),
    words: say(
      'team people users roles invitations colleagues permissions owner editor viewer admin access give make remove user kick ban fire offboard leaves staff employees promote demote pending list left company rights leaving take away seats accounts group colleague',
    ),
  },
  component: lazyPage(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
})

const auditLog = createRoute({
  getParentRoute: () => organization,
  path: '/audit-log',
  staticData: {
    guide: 'guides/team',
    title: say('Audit log'),
    words: say(
      'history logs changes activity who changed created deleted removed revoked what key site member setting trail compliance security login logins when yesterday settings last admins signed logged incident',
    ),
  },
  validateSearch: readAuditSearch,
  component: lazyPage(() => import('./pages/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
})

const site = createRoute({
  getParentRoute: () => organization,
  path: '/$domain',
  staticData: {
    guide: 'guides/sites',
    words: say(
      'state sync failed findings problems broken links check status error errors failure why not updated last stuck red crawl crawled 404 404s anchors dead empty warning warnings indexed index version versions revision commit rollback restore health',
    ),
  },
  validateSearch: readHomeSearch,
  component: lazyPage(() => import('./pages/site/site-page.tsx'), 'SitePage'),
})

const newSite = createRoute({
  getParentRoute: () => organization,
  path: '/new',
  staticData: { guide: 'guides/sites', title: say('Add a site'), words: 'new' },
  validateSearch: (search): { step?: 'name'; site?: string } => ({
    ...(search['step'] === 'name' && { step: 'name' }),
    ...(typeof search['site'] === 'string' && { site: search['site'] }),
  }),
  component: lazyPage(() => import('./pages/new-site/new-site-page.tsx'), 'NewSitePage'),
})

const playground = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/playground',
  staticData: {
    guide: 'guides/check-an-answer',
    title: say('Playground'),
    words: say(
      'try test ask question chat answer preview sandbox demo assistant experiment simulate debug bot sources citations cited prompt reply model write verdict',
    ),
  },
  validateSearch: (search): { thread?: string } => ({
    ...(typeof search['thread'] === 'string' && { thread: search['thread'] }),
  }),
  component: lazyPage(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage'),
})

const searchTest = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/search',
  staticData: {
    guide: 'guides/search',
    title: say('Search'),
    words: say(
      'find query ranking test passages results relevance tune debug nothing found shows show rank hits missing finds',
    ),
  },
  validateSearch: parseSearchForm,
  component: lazyPage(() => import('./pages/search-test/search-test-page.tsx'), 'SearchTestPage'),
})

const conversations = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/conversations',
  staticData: {
    guide: 'guides/check-an-answer',
    title: say('Conversations'),
    words: say(
      'chats transcripts history threads questions answers readers feedback rating thumbs up down wrong bad dislikes likes ratings complaints unhappy logs helpful unhelpful downvoted upvoted read customer customers typed said type poor visitor user users sessions dialog',
    ),
  },
  validateSearch: parseConversationFilter,
  component: lazyPage(() => import('./pages/conversations/conversations-page.tsx'), 'ConversationsPage'),
})

const conversation = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/conversations/$thread',
  staticData: { guide: 'guides/check-an-answer', title: say('Conversation') },
  component: lazyPage(() => import('./pages/conversations/conversation-page.tsx'), 'ConversationPage'),
})

const messages = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/messages',
  staticData: {
    guide: 'guides/hand-over',
    title: say('Messages'),
    words: say(
      'inbox contact requests support hand over people readers wrote emails mail form tickets escalations leads human talk someone reply escalate handoff off person sales entries entry',
    ),
  },
  component: lazyPage(() => import('./pages/messages/messages-page.tsx'), 'MessagesPage'),
})

const drift = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/drift',
  staticData: {
    guide: 'guides/drift',
    title: say('Outdated content'),
    words: say(
      'outdated stale obsolete old wrong contradictions conflicts drift pages docs content incorrect inaccurate mistakes deprecated removed renamed information options true longer contradict contradicting disagree out date each other flags flag mention became after release names inconsistent facts api',
    ),
  },
  component: lazyPage(() => import('./pages/drift/drift-page.tsx'), 'DriftPage'),
})

const putLive = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/live',
  staticData: {
    guide: 'guides/widget',
    title: say('Put it live'),
    words: say(
      'widget embed install snippet script code html colours colors logo origins website button chat tag bubble launcher popup javascript chatbot iframe docusaurus mkdocs vitepress starlight mintlify domains csp position placeholder appearance first questions assistant docs greeting welcome hint note hotkey cors left right corner bottom move showing visible appear publish launch icon installed react wordpress',
    ),
  },
  validateSearch: (search): { setup?: true } => (search['setup'] === true ? { setup: true } : {}),
  component: lazyPage(() => import('./pages/put-live/put-live-page.tsx'), 'PutLivePage'),
})

const siteSettings = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/settings',
  staticData: {
    guide: 'guides/assistant',
    title: say('Settings'),
    words: say(
      'rename configure options instructions system prompt tone voice style answers assistant source delete support contact budget spending limit branch address domain credential weekly monday digest report newsletter email mail smtp notifications recipients form cap ceiling daily cost url hostname dollars dollar usd max day folder subdirectory retention privacy logged readers shorter longer short long length brief formal friendly polite only french german spanish japanese keep days store login protect protected password private visibility sso identity subfolder path moved forward interval name title welcome',
    ),
  },
  component: lazyPage(() => import('./pages/site-settings/site-settings-page.tsx'), 'SiteSettingsPage'),
})

const jobs = createRoute({
  getParentRoute: () => organization,
  path: '/jobs',
  staticData: {
    guide: 'guides/agent',
    title: say('Jobs'),
    words: say(
      'agent tasks edits running cancel stop progress failed stuck archive history doing working busy ai work did result results',
    ),
  },
  validateSearch: readJobSearch,
  component: lazyPage(() => import('./pages/jobs/jobs-page.tsx'), 'JobsPage'),
})

const newJob = createRoute({
  getParentRoute: () => organization,
  path: '/jobs/new',
  staticData: { guide: 'guides/agent-instructions', title: say('New job'), words: say('create start') },
  validateSearch: (search): { site?: string; page?: string } => ({
    ...(typeof search['site'] === 'string' && { site: search['site'] }),
    ...(typeof search['page'] === 'string' && { page: search['page'].slice(0, 500) }),
  }),
  component: lazyPage(() => import('./pages/new-job/new-job-page.tsx'), 'NewJobPage'),
})

const job = createRoute({
  getParentRoute: () => organization,
  path: '/jobs/$jobId',
  staticData: { guide: 'guides/agent', title: say('Job') },
  component: lazyPage(() => import('./pages/job/job-page.tsx'), 'JobPage'),
})

const siteJobs = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/jobs',
  staticData: {
    guide: 'guides/agent',
    title: say('Jobs'),
    words: say(
      'agent tasks edits running cancel stop progress failed stuck archive history doing working busy ai work did result results',
    ),
  },
  validateSearch: readJobSearch,
  component: lazyPage(() => import('./pages/jobs/jobs-page.tsx'), 'SiteJobsPage'),
})

const pullRequests = createRoute({
  getParentRoute: () => organization,
  path: '/pull-requests',
  staticData: {
    guide: 'guides/pull-requests',
    title: say('Pull requests'),
    words: say(
      'prs merge requests changes review approve undo revert pending waiting reject close accept diff drafts agent open work ready merged conflict conflicts reviewer comments night',
    ),
  },
  validateSearch: readPullRequestSearch,
  component: lazyPage(() => import('./pages/pull-requests/pull-requests-page.tsx'), 'PullRequestsPage'),
})

/** Under its public address, too: see `pull-request-entry.tsx`. */
const pullRequest = createRoute({
  getParentRoute: () => organization,
  path: '/pull-requests/$secret/$number',
  staticData: { guide: 'guides/pull-requests', title: say('Pull request') },
  component: lazyPage(() => import('./pages/pull-request/pull-request-page.tsx'), 'MemberPullRequestPage'),
})

const automations = createRoute({
  getParentRoute: () => organization,
  path: '/automations',
  staticData: {
    guide: 'guides/automations',
    title: say('Automations'),
    words: say(
      'schedule recurring cron repeat daily nightly weekly every night week run jobs update docs monthly monday morning trigger rules automatic check checks link links when main changes push release cleanup automatically automate regular regularly periodically',
    ),
  },
  component: lazyPage(() => import('./pages/automations/automations-page.tsx'), 'AutomationsPage'),
})

const automation = createRoute({
  getParentRoute: () => organization,
  path: '/automations/$automationId',
  staticData: { guide: 'guides/automations', title: say('Automation') },
  component: lazyPage(() => import('./pages/automations/automation-page.tsx'), 'AutomationPage'),
})

const jobRoutes = [jobs, newJob, job, siteJobs, pullRequests, pullRequest, automations, automation] as const

const tests = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/tests',
  staticData: {
    guide: 'guides/tests',
    title: say('Tests'),
    words: say(
      'questions expected answers quality suite regression evals evaluation checks golden failed failing passing expectation expectations save saved benchmark assertions',
    ),
  },
  validateSearch: (search): { question?: string; pages?: string; correct?: true } => ({
    ...(typeof search['question'] === 'string' && { question: search['question'] }),
    ...(search['correct'] === true && { correct: true as const }),
    ...(typeof search['pages'] === 'string' && { pages: search['pages'] }),
  }),
  component: lazyPage(() => import('./pages/tests/tests-page.tsx'), 'TestsPage'),
})

const siteRoutes = [
  site,
  newSite,
  playground,
  searchTest,
  conversations,
  conversation,
  messages,
  drift,
  putLive,
  tests,
  siteSettings,
] as const

const insights = createRoute({
  getParentRoute: () => organization,
  path: '/insights',
  staticData: {
    guide: 'guides/insights',
    title: say('Insights'),
    words: say(
      'analytics statistics stats numbers usage reports metrics cost spend spent money expensive trends worse better compare week month traffic visitors volume chart graph performance engagement tokens excel spreadsheet export download rate share answer answered percent percentage total growth report monthly this many left',
    ),
    sections: insightsSections,
  },
  validateSearch: readInsightsSearch,
  component: lazyRouteComponent(() => import('./pages/insights/insights-page.tsx'), 'InsightsPage'),
})

const siteInsights = createRoute({
  getParentRoute: () => organization,
  path: '/$domain/insights',
  staticData: {
    guide: 'guides/insights',
    title: say('Insights'),
    words: say(
      'analytics statistics stats numbers usage reports metrics traffic visitors volume chart graph performance cost',
    ),
    sections: insightsSections,
  },
  validateSearch: readInsightsSearch,
  component: lazyRouteComponent(() => import('./pages/insights/insights-page.tsx'), 'InsightsPage'),
})

const operations = createRoute({
  getParentRoute: () => organization,
  path: '/operations',
  staticData: {
    guide: 'guides/observability',
    title: say('Operations'),
    words: say(
      'health status queue rate limits errors service ok uptime monitoring disk database server slow speed latency memory cpu down outage version upgrade system space running up everything load worker workers stuck full healthy alive storage capacity throughput backup fire',
    ),
  },
  component: lazyRouteComponent(() => import('./pages/operations/operations-page.tsx'), 'OperationsPage'),
})

/** For those who build pages: nothing links to it. */
const components = createRoute({
  getParentRoute: () => organization,
  path: '/components',
  staticData: { title: say('Components') },
  component: lazyPage(() => import('./pages/components/components-page.tsx'), 'ComponentsPage'),
})

const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  staticData: {
    guide: 'guides/models',
    title: say('Settings'),
    words: say('configuration options preferences org organization company account billing plan'),
    sections: settingsSections,
  },
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
})

const profile = createRoute({
  getParentRoute: () => organization,
  path: '/account',
  staticData: {
    guide: 'guides/team',
    title: say('Your account'),
    words: say('my profile password sign in email address name sessions devices security 2fa two factor mfa passkey'),
  },
  component: lazyRouteComponent(() => import('./pages/profile/profile-page.tsx'), 'ProfilePage'),
})

const insightRoutes = [insights, siteInsights, operations, settings, profile] as const

const routes = root.addChildren([
  signIn,
  accept,
  sharedView,
  signedIn.addChildren([
    start,
    organization.addChildren([
      overview,
      components,
      keys,
      members,
      auditLog,
      ...jobRoutes,
      ...insightRoutes,
      ...siteRoutes,
    ]),
  ]),
])

/** @param history Default: the address of the window. */
export function createDashboardRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree: routes,
    basepath: '/dashboard',
    ...(history !== undefined && { history }),
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    scrollRestoration: true,
    defaultPendingComponent: Skeleton,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  })
}

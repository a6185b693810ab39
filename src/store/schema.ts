import type { Insertable, Selectable } from 'kysely'
import type {
  AgentJobsTable,
  AutomationRunsTable,
  AutomationsTable,
  JobEventsTable,
  JobMessagesTable,
  JobStepsTable,
} from './schema/agent.ts'
import type {
  AuditLogTable,
  CountersTable,
  InstallationTable,
  InvitationsTable,
  KeysTable,
  OrganizationsTable,
  ProjectsTable,
  SessionsTable,
  SignInAttemptsTable,
  UserIdentitiesTable,
  UserTokensTable,
  UsersTable,
} from './schema/accounts.ts'
import type {
  BlobChunksTable,
  BlobsTable,
  IndexBlobsTable,
  LeasesTable,
  RepositoryPacksTable,
  RepositoryStatesTable,
} from './schema/shared.ts'
import type {
  CodeHostAppsTable,
  CommentAnswersTable,
  PullRequestCommentsTable,
  PullRequestsTable,
  RepositoriesTable,
} from './schema/code-hosts.ts'
import type {
  ContextRepositoriesTable,
  IndexGenerationsTable,
  IndexGuidanceTable,
  IndexRunsTable,
  SiteHostnamesTable,
  SitesTable,
} from './schema/sites.ts'
import type {
  FeedbackTable,
  GapsTable,
  MessagesTable,
  StreamChatsTable,
  StreamEventsTable,
  ThreadsTable,
} from './schema/answers.ts'
import type {
  WebhookDeliveriesTable,
  WebhookEndpointsTable,
  WebhookEventsTable,
  WebhookSendsTable,
} from './schema/webhooks.ts'

/**
 * The tables as both databases hold them: times are UTC milliseconds, booleans are 0 or 1, JSON is text. Names are
 * snake_case here and only here; what leaves this room is camelCase and parsed.
 */
export interface Database {
  organizations: OrganizationsTable
  projects: ProjectsTable
  sites: SitesTable
  site_hostnames: SiteHostnamesTable
  keys: KeysTable
  counters: CountersTable
  index_runs: IndexRunsTable
  index_generations: IndexGenerationsTable
  threads: ThreadsTable
  messages: MessagesTable
  index_guidance: IndexGuidanceTable
  installation: InstallationTable
  stream_chats: StreamChatsTable
  stream_events: StreamEventsTable
  feedback: FeedbackTable
  repositories: RepositoriesTable
  pull_requests: PullRequestsTable
  pull_request_comments: PullRequestCommentsTable
  users: UsersTable
  sessions: SessionsTable
  sign_in_links: UserTokensTable
  agent_jobs: AgentJobsTable
  job_messages: JobMessagesTable
  job_steps: JobStepsTable
  job_events: JobEventsTable
  user_identities: UserIdentitiesTable
  sign_in_attempts: SignInAttemptsTable
  invitations: InvitationsTable
  audit_log: AuditLogTable
  gaps: GapsTable
  webhook_deliveries: WebhookDeliveriesTable
  comment_answers: CommentAnswersTable
  webhook_endpoints: WebhookEndpointsTable
  webhook_events: WebhookEventsTable
  webhook_sends: WebhookSendsTable
  code_host_apps: CodeHostAppsTable
  blobs: BlobsTable
  blob_chunks: BlobChunksTable
  index_blobs: IndexBlobsTable
  repository_states: RepositoryStatesTable
  repository_packs: RepositoryPacksTable
  leases: LeasesTable
  context_repositories: ContextRepositoriesTable
  automations: AutomationsTable
  automation_runs: AutomationRunsTable
}

export type Row<Table extends keyof Database> = Selectable<Database[Table]>
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>

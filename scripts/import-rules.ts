// The table of who may import whom under src/. Every exception is a line here, with its reason.

/** Rooms by floor, from the top. A room imports from lower floors; rooms on one floor do not know each other. */
export const floors: readonly (readonly string[])[] = [
  ['cli'],
  ['app'],
  ['server', 'worker'],
  ['bots'],
  ['assistant', 'agent', 'sites', 'access', 'insights', 'webhooks', 'hand-overs', 'backup'],
  ['search', 'crawl', 'content', 'drift', 'git', 'codehost', 'models', 'store'],
  ['telemetry', 'contract', 'client', 'config', 'base'],
]

export interface RoomException {
  from: string
  to: string
  reason: string
}

/** What a room may import of its own floor all the same. */
export const roomExceptions: readonly RoomException[] = [
  { from: 'search', to: 'content', reason: 'An index is built from the chunks of pages.' },
  {
    from: 'crawl',
    to: 'content',
    reason: 'A crawl is handed over as the file tree of a site, and its findings with it.',
  },
  { from: 'codehost', to: 'git', reason: 'The built-in host serves repositories itself.' },
  { from: 'codehost', to: 'store', reason: 'The built-in host keeps its pull requests in the database.' },
  { from: 'assistant', to: 'sites', reason: 'An answer reads the current generation of the index.' },
  { from: 'agent', to: 'sites', reason: 'A job reads the current generation of the index.' },
  { from: 'config', to: 'contract', reason: 'The key of each model provider is a setting.' },
  { from: 'client', to: 'contract', reason: 'The client is made from the contract.' },
  { from: 'telemetry', to: 'base', reason: 'A record carries the time of the clock that is handed in.' },
]

/** Rooms that import nothing but what is listed: other rooms by name, packages by name. */
export const closedRooms: Readonly<Record<string, readonly string[]>> = {
  contract: ['zod'],
  // The schemas that the client is made from are zod's.
  client: ['contract', 'zod'],
}

export interface PackageRule {
  /** Matches the name of a package or of a built-in module, without a path inside of it. */
  packages: RegExp
  rooms: readonly string[]
  reason: string
}

export const packageRules: readonly PackageRule[] = [
  {
    packages: /^(?:kysely|pg|node:sqlite)$/,
    rooms: ['store', 'search', 'drift'],
    reason: 'SQL stays in store/, search/ and drift/',
  },
  { packages: /^nodemailer$/, rooms: ['hand-overs'], reason: 'e-mails are sent by hand-overs/' },
  { packages: /^modern-tar$/, rooms: ['backup'], reason: 'archives are written and read by backup/' },
  { packages: /^aws4fetch$/, rooms: ['store'], reason: 'contents in a bucket are kept by store/' },
  { packages: /^croner$/, rooms: ['base'], reason: 'schedules are read by base/cron-times.ts' },
  { packages: /^@octokit\/.+$/, rooms: ['codehost'], reason: 'clients of code hosts stay in codehost/' },
  { packages: /^node:child_process$/, rooms: ['git'], reason: 'processes are started by the hardened command in git/' },
  { packages: /^(?:@ai-sdk\/.+|ai)$/, rooms: ['models'], reason: 'model providers and their types stay in models/' },
  {
    packages: /^(?:prom-client|@opentelemetry\/.+)$/,
    rooms: ['telemetry'],
    reason: 'features measure by the interfaces of telemetry/, whatever collects it',
  },
  { packages: /^(?:hono|@hono\/.+)$/, rooms: ['server'], reason: 'the web framework stays in server/' },
  {
    packages: /^node:process$/,
    rooms: [],
    reason: 'the global does the same and is checked for readings of the environment',
  },
]

/** The rooms and the single files that read the environment. */
export const environmentReaders: readonly { path: string; reason: string }[] = [
  { path: 'config/', reason: 'The described schema of the environment.' },
  { path: 'git/read-executable-path.ts', reason: 'Children inherit PATH, and nothing else.' },
]

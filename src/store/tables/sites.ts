import type { SourceKind } from '../../contract/code-hosts.ts'
import type { JsonValue } from '../../contract/json.ts'
import {
  boolean,
  childOf,
  id,
  integer,
  items,
  nullable,
  object,
  primaryKey,
  strings,
  table,
  text,
  time,
  unique,
} from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

/** Where a site's pages come from. */
export interface SiteSource {
  kind: SourceKind
  /**
   * A path of the machine, or the https address of a repository, which never holds a credential; the name of a repository
   * of the built-in host; of a crawl, the address where it begins; of a forge, the address of the repository for people.
   */
  location: string
  /** The address of the forge, where it is more than scheme and host of the location: GitLab under a path. */
  origin?: string | undefined
  /** Branch, tag or commit; null follows the default branch, and folders have none. */
  ref: string | null
  /** Where the site lies within it; empty for its root. */
  subdirectory: string
}

/** What the owner of a site tells its assistant, out of the site's source. */
export interface SiteGuidance {
  /** Appended to the instructions of the model; empty when there are none. */
  instructions: string
  skills: AssistantSkill[]
}

/** Instructions for questions of one kind, read when they fit. */
export interface AssistantSkill {
  /** Letters, digits and hyphens; unique on its site. */
  name: string
  description: string
  body: string
}

/** Something wrong with a site's source, as the content room reports it. */
export interface GenerationFinding {
  file: string
  line: number | null
  rule: string
  message: string
}

/** A source that is a repository, so that it has commits. */
export interface ContextSource extends SiteSource {
  kind: Exclude<SiteSource['kind'], 'folder' | 'crawl'>
}

export const siteTables = {
  sites: table(
    {
      id: id(),
      projectId: childOf('projects.id'),
      slug: unique(text()),
      name: text(),
      /** In lower case; `siteHostnames` keeps them unique. */
      hostnames: strings(),
      /** Where readers find the site; null for pages served by Docent itself. */
      baseUrl: nullable(text()),
      source: object<SiteSource>(),
      settings: object<{ [key: string]: JsonValue }>(),
      /** Sealed by `sealSecret`; signs the identities of readers. */
      identitySecretSealed: nullable(text()),
      createdAt: time(),
      /** Sealed by `sealSecret`; opens the repository. */
      sourceCredentialSealed: nullable(text()),
      /** When the source is checked next; null: as soon as possible. */
      sourceCheckAt: nullable(time()),
      /** Follows from the source; the claim of a run reads it, because crawls have their own lanes. */
      isCrawled: boolean(),
    },
    { indexes: { byProject: ['projectId', 'id'], bySourceCheck: ['sourceCheckAt'] } },
  ),
  /** One row per host name, so that each belongs to one site and is found by one probe of an index. */
  siteHostnames: table(
    {
      hostname: primaryKey(text()),
      siteId: childOf('sites.id'),
    },
    { indexes: { bySite: ['siteId'] } },
  ),
  indexRuns: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      state: text<'queued' | 'running' | 'succeeded' | 'failed'>(),
      /** Kebab-case: `site-created`, `sync-requested`, `source-changed`. */
      cause: text(),
      ...queueColumns(),
      /** A sentence, on failed runs. */
      failure: nullable(text()),
      createdAt: time(),
      startedAt: nullable(time()),
      finishedAt: nullable(time()),
      /** Revision of the source; null until the run has read it. */
      revision: nullable(text()),
      step: nullable(text()),
      pagesDone: nullable(integer()),
      pagesTotal: nullable(integer()),
    },
    {
      indexes: {
        bySite: ['siteId', 'id'],
        queued: { columns: ['siteId'], isUnique: true, where: "state = 'queued'" },
        running: { columns: ['siteId'], isUnique: true, where: "state = 'running'" },
        due: queueIndex,
      },
    },
  ),
  indexGenerations: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** From 1, rising within the site. */
      number: integer(),
      /** The commit, or the digest of the folder, that it was made from. */
      revision: text(),
      /** Name of the index file in the blob folder. */
      file: text(),
      pageCount: integer(),
      chunkCount: integer(),
      findings: items<GenerationFinding>(),
      createdAt: time(),
    },
    { uncopied: 'Indexes are built again from the sources of the sites.', unique: ['siteId', 'number'] },
  ),
  /** What the source of a generation tells the assistant, apart from the generation, because it is long and seldom read. */
  indexGuidance: table(
    {
      generationId: primaryKey(childOf('indexGenerations.id')),
      guidance: object<SiteGuidance>(),
    },
    { uncopied: 'It comes from the source with the index.' },
  ),
  /** Repositories that the agent may read besides that of a site, such as the product's. */
  contextRepositories: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** Unique within the site; `@name/` stands before its paths. */
      name: text(),
      source: object<ContextSource>(),
      /** Sealed by `sealSecret`; opens the repository. */
      credentialSealed: nullable(text()),
      createdAt: time(),
    },
    { unique: ['siteId', 'name'] },
  ),
}

import type { SourceKind } from '../../contract/code-hosts.ts'
import type { ContextRole } from '../../contract/context-repositories.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { SiteCheck } from '../../contract/site-check.ts'
import type { SuiteTest } from '../../contract/suite.ts'
import type { WidgetSettings } from '../../contract/widget-settings.ts'
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
   * An absolute path on this machine, the https URL of a repository (without credentials), the name of a repository of
   * the built-in host, the start URL of a crawl, or the web URL of a repository on a forge.
   */
  location: string
  /** Base URL of the forge, if it is more than scheme and host of the location: GitLab under a path. */
  origin?: string | undefined
  /** Branch, tag or commit; null follows the default branch. Null for folders. */
  ref: string | null
  /** Folder of the site in the source; empty for the root. */
  subdirectory: string
}

/** Instructions to the site's assistant from its owner, and tests of its answers, read from the source. */
export interface SiteGuidance {
  /** Appended to the model's instructions; may be empty. */
  instructions: string
  skills: AssistantSkill[]
  /** The owner's `skill.md` for other people's agents; may be empty. */
  skill: string
  /** Questions that the documentation must answer. */
  suite: SuiteTest[]
}

/** Instructions for one kind of question, loaded when they fit. */
export interface AssistantSkill {
  /** Letters, digits and hyphens; unique within its site. */
  name: string
  description: string
  body: string
}

/** A problem in a site's source, as reported by the content room. */
export interface GenerationFinding {
  file: string
  line: number | null
  rule: string
  message: string
}

/** How an index was read, and what its page addresses were derived from. */
export interface SelfCheck extends SiteCheck {
  /** Name of the site format, such as `docusaurus`. */
  format: string
  /** Most of the site's own links lead nowhere. */
  isDoubtful: boolean
  /** A few pages, whose addresses show whether all are right. */
  samplePaths: string[]
  /** As `IndexHeader.basePath`. */
  basePath: string
  /** The site's URL at the time. */
  siteUrl: string | null
  /** Identifies what page addresses depend on besides the files: URL, source, folder, format. */
  addressOrigin: string
}

/** A source with commits, that is, a repository. */
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
      /** Lowercase; `siteHostnames` keeps them unique. */
      hostnames: strings(),
      /** Where readers find the site; null if Docent itself serves the pages. */
      baseUrl: nullable(text()),
      source: object<SiteSource>(),
      settings: object<{ [key: string]: JsonValue }>(),
      /** Sealed by `sealSecret`; signs the identities of readers. */
      identitySecretSealed: nullable(text()),
      createdAt: time(),
      /** Sealed by `sealSecret`; grants access to the repository. */
      sourceCredentialSealed: nullable(text()),
      /** When the source is next checked; null: as soon as possible. */
      sourceCheckAt: nullable(time()),
      /** Derived from the source. Stored because claiming a run needs it: crawls have lanes of their own. */
      isCrawled: boolean(),
      /** `SelfCheck.addressOrigin` of the newest index that went live; null before the first. */
      confirmedOrigin: nullable(text()),
    },
    { indexes: { byProject: ['projectId', 'id'], bySourceCheck: ['sourceCheckAt'] } },
  ),
  /** One row per host name, so that each belongs to one site and is found by a single index lookup. */
  siteHostnames: table(
    {
      hostname: primaryKey(text()),
      siteId: childOf('sites.id'),
    },
    { indexes: { bySite: ['siteId'] } },
  ),
  /** A separate table, because only pages with the widget and their owner read it. */
  widgetSettings: table({
    siteId: primaryKey(childOf('sites.id')),
    /** Only what the owner has set. */
    settings: object<Partial<WidgetSettings>>(),
  }),
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
      /** Counts from 1, increasing within the site. */
      number: integer(),
      /** Commit or folder digest that it was built from. */
      revision: text(),
      /** Name of the index file in the blob folder. */
      file: text(),
      pageCount: integer(),
      chunkCount: integer(),
      findings: items<GenerationFinding>(),
      createdAt: time(),
      selfCheck: nullable(object<SelfCheck>()),
      /** Not served until the owner confirms the addresses of its pages. */
      isWaiting: boolean(),
      /** Path of the site's icon among the images of the index. */
      icon: nullable(text()),
    },
    { uncopied: 'Indexes are rebuilt from the sources of the sites.', unique: ['siteId', 'number'] },
  ),
  /** Owner guidance of a generation. A separate table, because it is long and seldom read. */
  indexGuidance: table(
    {
      generationId: primaryKey(childOf('indexGenerations.id')),
      guidance: object<SiteGuidance>(),
    },
    { uncopied: 'It is read from the source with the index.' },
  ),
  /** Repositories that the agent may read besides the site's own, such as the product's. */
  contextRepositories: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** Unique within the site; its paths are prefixed with `@name/`. */
      name: text(),
      source: object<ContextSource>(),
      /** Changes of products are compared with the pages. */
      role: text<ContextRole>(),
      /** Sealed by `sealSecret`; grants access to the repository. */
      credentialSealed: nullable(text()),
      createdAt: time(),
    },
    { unique: ['siteId', 'name'] },
  ),
}

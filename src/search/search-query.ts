/** Narrows a search to a part of the site, before ranking. Absent fields match everything. */
export interface SearchFilter {
  version?: string
  language?: string
  tag?: string
  /** Keeps pages that need no group or one of these. Only narrows: see `SearchQuery.readerGroups`. */
  groups?: readonly string[]
  /** Keeps pages at this path or below it. */
  pathPrefix?: string
}

export interface SearchQuery {
  /** What the reader typed; any text. */
  text: string
  /** Most passages to return, 1 to 50. */
  limit: number
  filter: SearchFilter
  /** What the reader may see, as established by the key or the signed identity, never by the request: pages that need a group need one of these. */
  readerGroups: readonly string[]
  /** Whether the reader may see pages that are not public. True once an identity or groups are established. */
  isSignedIn: boolean
  /** The page the reader is on, preferred a little; root-relative. */
  currentPath?: string
  /** Passages below this are left out; 0 to 1. */
  scoreThreshold?: number
  /** It belongs to an answer: such searches and all others take turns, so that a rush of questions leaves the search open. */
  isForAnswer?: boolean
}

/** A ranked part of a page. */
export interface Passage {
  path: string
  anchor: string | null
  /** The page's title. */
  title: string
  description: string
  headings: string[]
  /** Markdown of the chunk. */
  content: string
  version: string | null
  language: string | null
  /** 0 to 1, comparable between sites: about 0.5 and more means that the passage answers to the question's words. */
  score: number
}

/** How many passages hold the terms of a query, of all that the reader may see in the version and language it is about. */
export interface TermCounts {
  /** All of them. */
  passages: number
  /** By term of the text analysis; 0 for one that none holds. */
  counts: Record<string, number>
  /** For plain terms that none holds: the one that was probably meant. */
  meant: Record<string, string>
}

/** Why a search found what it found. Values are shares of `words.value` unless something else is said. */
export interface ExplainedSearch {
  /** Terms of the query that something in scope holds. */
  terms: ExplainedTerm[]
  /** Terms that nothing in scope holds. */
  unknownTerms: string[]
  hits: ExplainedHit[]
  /** Pages that would have been found among the best and that the reader or the filter leaves out. */
  removed: { path: string; title: string; reasons: RemovalReason[] }[]
}

export interface ExplainedTerm {
  term: string
  /** Passages in scope that hold it. */
  passages: number
  /** How much it tells: the rarer, the more. */
  rarity: number
  /** Below 1 for a guess at a mistyped word. */
  weight: number
}

export interface ExplainedHit {
  passage: Passage
  words: {
    /** Its place by words alone, from 1; null where it was found by meaning only. */
    rank: number | null
    value: number
    terms: { term: string; title: number; headings: number; body: number; path: number }[]
    /** Terms beyond those that are listed one by one. */
    otherTerms: number
    page: number
    neighbour: number
    /** How near the words stand to each other. */
    proximity: number
  }
  /** What the page's `boost` multiplies all of this by; it is in the values. */
  boost: number
  meaning: { rank: number; nearness: number } | null
  /** By rank of words and meaning; null where search goes by words alone. */
  fused: number | null
  /** What the reader's page multiplies by; 1 without one. */
  placeFactor: number
  /** What earlier passages of the same page multiply by. */
  repetitionFactor: number
}

export type RemovalReason = 'reader' | 'version' | 'language' | 'tag' | 'groups' | 'path' | 'edition-missing'

/** The reader, who decides which pages exist. */
export type Reader = Pick<SearchQuery, 'readerGroups' | 'isSignedIn'>

/** A whole page from the index. */
export interface IndexedPage {
  path: string
  title: string
  description: string
  markdown: string
  section: string[]
  version: string | null
  language: string | null
  tag: string | null
  isListed: boolean
}

/** The metadata of an index file. */
export interface IndexHeader {
  siteName: string
  siteDescription: string
  revision: string
  defaultVersion: string | null
  defaultLanguage: string | null
  /** The path below its origin that the paths of the site's pages begin with; absent for the origin itself. */
  basePath?: string
  /** What the owner tells programs that read the site; for them, not for the assistant. */
  instructions?: string
  /** Files of the API descriptions that pages for everybody show. */
  apiFiles?: string[]
  /** Name and version of the text analysis; a file made by another one is built again. */
  analyzer: string
  pageCount: number
  chunkCount: number
}

/** Answers from one immutable index file. Safe to call concurrently; every method may reject when the file is gone. */
export interface SearchIndex {
  readonly header: IndexHeader
  search(query: SearchQuery, signal?: AbortSignal): Promise<Passage[]>
  countTerms(query: SearchQuery, signal?: AbortSignal): Promise<TermCounts>
  /** For owners: it names pages that the reader of the query may not see. */
  explain(query: SearchQuery, signal?: AbortSignal): Promise<ExplainedSearch>
  /** Null when there is no such page for this reader. Accepts a path with or without `.md`, `.mdx`, `#anchor`, trailing slash. */
  readPage(path: string, reader: Reader, signal?: AbortSignal): Promise<IndexedPage | null>
  /** In navigation order, without their Markdown. */
  listPages(reader: Reader, signal?: AbortSignal): Promise<Omit<IndexedPage, 'markdown'>[]>
  /** Gives back what the index holds; questions under way are refused. The file stays. */
  close(): Promise<void>
}

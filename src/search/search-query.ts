import type { Redirect } from '../content/links/redirect.ts'
import type { PageImage } from '../content/site-page.ts'

/** Narrows a search to a part of the site, before ranking. Absent fields match everything. */
export interface SearchFilter {
  version?: string
  language?: string
  tag?: string
  /** Keeps pages that need no group or one of these. Only narrows: see `SearchQuery.readerGroups`. */
  groups?: readonly string[]
  /** Keeps pages at this path or below it. */
  pathPrefix?: string
  /** Keeps this page alone; its path as the index has it. */
  path?: string
}

export interface SearchQuery {
  /** What the reader typed; any text. */
  text: string
  /** Most passages to return, 1 to 50. */
  limit: number
  filter: SearchFilter
  /**
   * The reader's groups, as established by the key or the signed identity, never by the request. Pages that need a
   * group need one of these.
   */
  readerGroups: readonly string[]
  /** Whether the reader may see pages that are not public. True once an identity or groups are established. */
  isSignedIn: boolean
  /** The page the reader is on, slightly preferred; root-relative. */
  currentPath?: string
  /** Passages below this are omitted; 0 to 1. */
  scoreThreshold?: number
  /**
   * The search belongs to an answer. Such searches take turns with all others, so that a rush of questions does not
   * block search.
   */
  isForAnswer?: boolean
}

/** Where a block of a passage comes from. */
export interface BlockOrigin {
  /** Id of the nearest heading at or above the block; null before the first. */
  anchor: string | null
  /** First and last line in the page's file, from 1, inclusive; null if the block is not there word for word, aside from the label of a callout. */
  lines: [first: number, last: number] | null
  /** SHA-256 in hex of the bytes of those lines, including the last line break; null exactly if `lines` is. */
  sha256: string | null
}

/** A ranked part of a page. */
export interface Passage {
  path: string
  anchor: string | null
  /** The page's title. */
  title: string
  description: string
  headings: string[]
  /** Markdown of the chunk, without the ids of headings. */
  content: string
  version: string | null
  language: string | null
  /** Source file of the page, relative to the root of the source; absent if the page has none, such as an API page. */
  file?: string
  /** One for each block of `content`, as `splitBlocks` splits it. */
  origins?: BlockOrigin[]
  /** Paths of pages that say the same and were left out; absent without any. */
  alternatives?: string[]
  /** 0 to 1, comparable between sites: from about 0.5 on, the passage matches the question's words well. */
  score: number
}

/** How many passages contain the terms of a query, among those that the reader may see in its version and language. */
export interface TermCounts {
  /** Total number of passages. */
  passages: number
  /** By term of the text analysis; 0 if none contains it. */
  counts: Record<string, number>
  /** For terms that no passage contains: what was probably meant, of a compound all parts. */
  meant: Record<string, string[]>
}

/** What a search finds. */
export interface FoundPassages {
  passages: Passage[]
  /** Set if the query is for an answer; otherwise null. */
  termCounts: TermCounts | null
}

/** Explains a search result. Values are shares of `words.value` unless stated otherwise. */
export interface ExplainedSearch {
  /** Query terms that something in scope contains. */
  terms: ExplainedTerm[]
  /** Query terms that nothing in scope contains. */
  unknownTerms: string[]
  hits: ExplainedHit[]
  /** Pages that would have ranked among the best but are excluded by access or the filter. */
  removed: { path: string; title: string; reasons: RemovalReason[] }[]
}

export interface ExplainedTerm {
  term: string
  /** Passages in scope that contain it. */
  passages: number
  /** Its weight: the rarer, the higher. */
  rarity: number
  /** Below 1 for a spelling correction or a part of an unknown compound. */
  weight: number
}

export interface ExplainedHit {
  passage: Passage
  words: {
    /** Rank by words alone, from 1; null if found by meaning only. */
    rank: number | null
    value: number
    terms: { term: string; title: number; headings: number; body: number; path: number }[]
    /** Sum of the terms that are not listed individually. */
    otherTerms: number
    page: number
    neighbour: number
    /** Proximity of the words. */
    proximity: number
    /** Because the query is about the page: its words are the page's title or the last part of its path. */
    topic: number
  }
  /** The factor of the page's `boost`; already included in the values. */
  boost: number
  meaning: { rank: number; nearness: number } | null
  /** By rank of words and meaning; null if the search used words alone. */
  fused: number | null
  /** The factor for the reader's page; 1 without one. */
  placeFactor: number
  /** The factor for earlier passages of the same page. */
  repetitionFactor: number
}

export type RemovalReason = 'reader' | 'version' | 'language' | 'tag' | 'groups' | 'path' | 'edition-missing'

/** The reader, who determines which pages exist. */
export type Reader = Pick<SearchQuery, 'readerGroups' | 'isSignedIn'>

/** A whole page from the index. */
export interface IndexedPage {
  path: string
  title: string
  description: string
  markdown: string
  images?: readonly PageImage[]
  section: string[]
  version: string | null
  language: string | null
  tag: string | null
  isListed: boolean
  /** Milliseconds: when its file was last changed in the repository; absent if that is not known. */
  changedAt?: number
}

/** A page without its text. */
export type ListedPage = Omit<IndexedPage, 'markdown' | 'images'>

/** A page that a wrong address may have meant. */
export type NearPage = Pick<IndexedPage, 'path' | 'title' | 'description'>

/** What an address means that has no page of its own. */
export type FoundAddress =
  /** Certainly this page; `anchor` is empty or begins with `#`. */
  | { kind: 'page'; path: string; anchor: string }
  /** The documentation redirects it to another site. */
  | { kind: 'elsewhere'; url: string }
  /** At most five pages, likeliest first. */
  | { kind: 'unknown'; near: NearPage[] }

/** Where a whole page comes from. */
export interface PageOrigins extends Pick<Passage, 'file'> {
  /** One for each block of the page's Markdown, as `splitBlocks` splits it. */
  origins: BlockOrigin[]
}

/** The metadata of an index file. */
export interface IndexHeader {
  siteName: string
  siteDescription: string
  revision: string
  defaultVersion: string | null
  defaultLanguage: string | null
  /** The path prefix of the site's pages below its origin; absent if they are at the root. */
  basePath?: string
  /** The owner's notes for programs that read the site; not for the assistant. */
  instructions?: string
  /** Files of the API descriptions shown on public pages. */
  apiFiles?: string[]
  /** Name and version of the text analysis; files made by another one are rebuilt. */
  analyzer: string
  pageCount: number
  chunkCount: number
}

/** Answers from one immutable index file. Safe to call concurrently; every method may reject if the file is gone. */
export interface SearchIndex {
  readonly header: IndexHeader
  search(query: SearchQuery, signal?: AbortSignal): Promise<Passage[]>
  countTerms(query: SearchQuery, signal?: AbortSignal): Promise<TermCounts>
  /** For owners only: it names pages that the query's reader may not see. */
  explain(query: SearchQuery, signal?: AbortSignal): Promise<ExplainedSearch>
  /** Null if this reader has no such page. Accepts a path with or without `.md`, `.mdx`, `#anchor`, trailing slash. */
  readPage(path: string, reader: Reader, signal?: AbortSignal): Promise<IndexedPage | null>
  /** An image of a page that everybody may see, by its path in the source; null if there is none. */
  readImage(file: string, signal?: AbortSignal): Promise<Uint8Array | null>
  /** What an address means that `readPage` finds no page for. Names no page that the reader may not see. */
  findAddress(path: string, reader: Reader, signal?: AbortSignal): Promise<FoundAddress>
  /** The redirects that lead to a page of the reader or to another site, with pages by their own address. */
  listRedirects(reader: Reader, signal?: AbortSignal): Promise<Redirect[]>
  /** Where the blocks of the page that `readPage` returns come from. */
  readOrigins(path: string, reader: Reader, signal?: AbortSignal): Promise<PageOrigins | null>
  /** In navigation order, without their Markdown. */
  listPages(reader: Reader, signal?: AbortSignal): Promise<ListedPage[]>
  /** Releases the index; pending requests are rejected. The file stays. */
  close(): Promise<void>
}

/** Where an entry goes. Without a place, beside the pages of its folder. */
export interface EntryPlace {
  /** Title of a group, or titles from the outside in, separated by `>`. */
  group?: string
  /** The entry of this page comes before it. */
  after?: string
  /** The entry of this page comes behind it. */
  before?: string
}

/** A change of a site's navigation. Pages are paths of files. */
export type NavigationChange =
  | ({ action: 'add'; page: string; title?: string; isNewGroup?: boolean } & EntryPlace)
  | ({ action: 'move'; page: string } & EntryPlace)
  | { action: 'remove'; page: string }
  /** Gives the entry of a page, or a group, another title. */
  | { action: 'title'; page?: string; group?: string; title: string }
  /** The page has moved: its entries name it by its new path, and its old address is redirected. */
  | { action: 'follow'; page: string; to: string; isRedirected: boolean }
  /** Redirects an address that no page has any more. The anchor begins with `#`. */
  | { action: 'redirect'; from: string; to: string; anchor?: string }

/** What became of a change. */
export interface NavigationOutcome {
  /** Path → text of the files that changed. */
  files: Map<string, string>
  /** Sentences about what was done, or need not or could not be done. */
  notes: string[]
  /** Why nothing was done at all; null if something was, or nothing was needed. */
  refusal: string | null
}

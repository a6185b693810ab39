/** Where an API description comes from and which pages it makes. */
export interface SpecReference {
  /** Paths as written, or addresses. */
  sources: readonly string[]
  /** Path of the pages that are made from it. */
  directory: string
}

/** What a navigation hands down to the pages in it. */
export interface NavigationPlace {
  section: readonly string[]
  version: string | null
  language: string | null
  tag: string | null
  isHidden: boolean
  searchable: boolean | undefined
  isPublic: boolean | undefined
  boost: number
  spec: SpecReference | null
}

export const topPlace: NavigationPlace = {
  section: [],
  version: null,
  language: null,
  tag: null,
  isHidden: false,
  searchable: undefined,
  isPublic: undefined,
  boost: 1,
  spec: null,
}

/** A page as the navigation names it. */
export type NavigationEntry = { place: NavigationPlace } &
  /** An optional page comes from a link, which may as well lead elsewhere, so that a missing one is no fault. */
  (
    | { kind: 'page'; target: string; isOptional: boolean }
    /** One operation; `source` only where the entry names its own file. */
    | { kind: 'operation'; source: string | null; method: string; target: string }
    /** All operations of the inherited description. */
    | { kind: 'specification'; target: null }
  )

const operation =
  /^(?:(\S+\.(?:json|ya?ml)|https?:\/\/\S+)\s+)?(get|post|put|patch|delete|head|options|trace|webhook)\s+(\S.*)$/i

/** Reads `METHOD /path`, with or without a file before it; null for anything else. */
export function readOperationName(text: string): { source: string | null; method: string; target: string } | null {
  const [match, source, method = '', target = ''] = operation.exec(text.trim()) ?? []
  return match === undefined ? null : { source: source ?? null, method: method.toLowerCase(), target: target.trim() }
}
